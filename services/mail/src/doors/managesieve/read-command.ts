import type { Socket } from 'node:net'
import type { Input, LineProblem } from '../../wire/smtp/smtp.ts'
import { MAX_ARGUMENTS, MAX_QUOTED, type ManageSieveLimits } from './limits.ts'

export type Argument =
  | { readonly kind: 'string'; readonly bytes: Buffer }
  | { readonly kind: 'number'; readonly value: number }

export type Given =
  | { readonly kind: 'command'; readonly name: string; readonly args: readonly Argument[] }
  /** Not a command, or one with too much in it; the connection goes on. */
  | { readonly kind: 'bad'; readonly problem: string; readonly isTooLarge?: boolean }
  | { readonly kind: 'gone'; readonly problem: LineProblem | 'too_much' }

export type CommandSource = { readonly socket: Socket; readonly input: Input }

/** What somebody may send: less until they have signed in. */
export type ReadLimits = Pick<ManageSieveLimits, 'lineBytes' | 'literalBytes' | 'skippedBytes' | 'commandMs' | 'idleMs'>

/** The next command with its arguments (RFC 5804 §4). */
export const readCommand = async (source: CommandSource, limits: ReadLimits): Promise<Given> => {
  const pieces = await readPieces(source, limits)
  if ('kind' in pieces) return pieces
  const [first = '', ...rest] = pieces.texts
  const [, name, tail] = /^([A-Za-z]{1,32})((?: .*)?)$/s.exec(first) ?? []
  if (name === undefined || tail === undefined) return bad('Invalid command.')
  const args = readArguments([tail, ...rest], pieces.literals)
  return typeof args === 'string' ? bad(args) : { kind: 'command', name: name.toUpperCase(), args }
}

/** One string: what a client answers to a challenge. */
export const readString = async (source: CommandSource, limits: ReadLimits): Promise<Given> => {
  const pieces = await readPieces(source, limits)
  if ('kind' in pieces) return pieces
  const [first = '', ...rest] = pieces.texts
  const args = readArguments([` ${first}`, ...rest], pieces.literals)
  return typeof args === 'string' ? bad(args) : { kind: 'command', name: '', args }
}

const bad = (problem: string): Given => ({ kind: 'bad', problem })

/** Text between literals: one more than there are literals. */
type Pieces = { texts: string[]; literals: Buffer[] }

const LITERAL = /\{(\d{1,10})\+?\}$/

const readPieces = async (source: CommandSource, limits: ReadLimits): Promise<Pieces | Given> => {
  const texts: string[] = []
  const literals: Buffer[] = []
  const deadline = { at: 0 }
  let lineBytes = limits.lineBytes
  let problem: Given | null = null
  for (;;) {
    const line = await nextLine(source, limits, { lineBytes, deadline })
    if ('kind' in line) return line
    lineBytes -= line.length
    const text = decodeUtf8(line)
    if (text === null) problem ??= bad('Commands must be UTF-8.')
    const [whole, digits] = LITERAL.exec(text ?? '') ?? []
    if (whole === undefined || digits === undefined) {
      texts.push(text ?? '')
      return problem ?? { texts, literals }
    }
    texts.push((text ?? '').slice(0, -whole.length))
    const size = Number(digits)
    if (literals.length >= MAX_ARGUMENTS) problem ??= bad('Too many arguments.')
    if (size > limits.literalBytes) problem ??= { kind: 'bad', problem: 'The command is too large.', isTooLarge: true }
    if (size > limits.skippedBytes) return { kind: 'gone', problem: 'too_much' }
    const literal = await readOctets(source, size, { keep: problem === null, deadline: deadline.at })
    if (!Buffer.isBuffer(literal)) return literal
    literals.push(literal)
  }
}

type Deadline = { at: number }

const nextLine = async (
  { input }: CommandSource,
  limits: ReadLimits,
  { lineBytes, deadline }: { lineBytes: number; deadline: Deadline },
): Promise<Buffer | Given> => {
  const isFirst = deadline.at === 0
  const left = deadline.at - performance.now()
  const times = isFirst
    ? { idleMs: limits.idleMs, commandMs: limits.commandMs }
    : { idleMs: Math.max(left, 1), commandMs: Math.max(left, 1) }
  const line = await input.line({ ...UNUSED, ...times, lineBytes: Math.max(lineBytes, 0) })
  if (isFirst) deadline.at = performance.now() + limits.commandMs
  return line.kind === 'line' ? line.bytes : { kind: 'gone', problem: line.problem }
}

/** Limits of SMTP's DATA, of which there is none here. */
const UNUSED = { bytesPerSecond: 0, rateWindowMs: 0, messageMs: 0 }

/** Reads `size` octets, discarding them unless `keep` is set. */
const readOctets = async (
  { input, socket }: CommandSource,
  size: number,
  { keep, deadline }: { keep: boolean; deadline: number },
): Promise<Buffer | Given> => {
  const kept = Buffer.allocUnsafe(keep ? size : 0)
  for (let left = size; left > 0; ) {
    if (input.waiting() === 0 && !(await input.hasSome(Math.max(deadline - performance.now(), 1))))
      return { kind: 'gone', problem: socket.readableEnded || socket.destroyed ? 'closed' : 'slow' }
    const chunk = input.takeAll()
    if (socket.isPaused()) socket.resume()
    const wanted = chunk.subarray(0, left)
    if (keep) wanted.copy(kept, size - left)
    left -= wanted.length
    input.putBack(chunk.subarray(wanted.length))
  }
  return kept
}

/** Arguments, or what is wrong with them. Each text but the last is followed by a literal. */
const readArguments = (texts: readonly string[], literals: readonly Buffer[]): Argument[] | string => {
  const args: Argument[] = []
  for (const [index, text] of texts.entries()) {
    const literal = literals[index]
    // A literal stands behind a blank, as every argument does.
    if (literal && !text.endsWith(' ')) return 'Separate arguments with one space.'
    const found = readPlain(literal ? text.slice(0, -1) : text)
    if (typeof found === 'string') return found
    args.push(...found)
    if (literal) args.push({ kind: 'string', bytes: literal })
    if (args.length > MAX_ARGUMENTS) return 'Too many arguments.'
  }
  return args
}

const ARGUMENT = /^ (?:"((?:[^"\\\r\n\0]|\\["\\])*)"|(\d{1,10})(?= |$))/

const readPlain = (text: string): Argument[] | string => {
  const args: Argument[] = []
  for (let rest = text; rest !== ''; ) {
    const [whole, quoted, digits] = ARGUMENT.exec(rest) ?? []
    if (whole === undefined) return 'Arguments must be quoted strings, literals or numbers.'
    rest = rest.slice(whole.length)
    if (digits !== undefined) args.push({ kind: 'number', value: Number(digits) })
    if (quoted !== undefined) args.push({ kind: 'string', bytes: Buffer.from(quoted.replace(/\\(["\\])/g, '$1')) })
    if (quoted !== undefined && Buffer.byteLength(quoted) > 2 * MAX_QUOTED) return 'Send long strings as literals.'
  }
  return args
}

const decodeUtf8 = (bytes: Buffer): string | null => {
  const text = bytes.toString('utf8')
  return Buffer.byteLength(text) === bytes.length && Buffer.from(text).equals(bytes) ? text : null
}
