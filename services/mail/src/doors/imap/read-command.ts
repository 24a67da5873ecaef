import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import { putMessage, StoreRefusal } from '../../store/store.ts'
import type { Completion } from './command.ts'
import type { Input } from './input.ts'
import { type ImapLimits, MEMORY_LITERAL_BYTES, MESSAGES_PER_COMMAND, SKIPPED_BYTES } from './limits.ts'
import type { Literal, Segment } from './parse/segments.ts'

/** A command as it came, before its arguments are read. */
export type ReceivedCommand = {
  readonly tag: string
  /** In upper case, without UID. */
  readonly name: string
  readonly isUid: boolean
  readonly segments: readonly Segment[]
}

/** A command that cannot be read, answered with an error. `closes`: what follows cannot be distinguished from its rest. */
export type Unreadable = { readonly tag: string | null; readonly answer: Completion }

/** What reading needs to know about whom it reads from. */
export type ReadContext = {
  readonly input: Input
  readonly limits: ImapLimits
  readonly blobs: Blobs
  readonly maxMessageBytes: number
  readonly isSignedIn: boolean
  /** Sends the continuation request. */
  goOn(): Promise<void>
  /** Whether its literals may be messages; an answer if it is not allowed at all. */
  check(name: string, isUid: boolean): { takesMessages: boolean } | Completion
}

const HEAD = /^([!#$&',\-./0-9:;<=>?@A-Z[\]^_`a-z|}~]{1,100}) +(?:(UID) +)?([A-Za-z0-9=._-]{1,40})(?= |$)/i
const TAG = /^([!#$&',\-./0-9:;<=>?@A-Z[\]^_`a-z|}~]{1,100})(?: |$)/
const LITERAL = /(~?)\{([0-9]{1,19})(\+?)\}$/

const badAnswer = (text: string, more: Partial<Completion> = {}): Completion => ({ status: 'BAD', text, ...more })

/** Reads one command with its literals. Throws `InputEnded` when the client goes or is too slow. */
export const readCommand = async (context: ReadContext): Promise<ReceivedCommand | Unreadable> => {
  const first = await readLine(context)
  if (typeof first !== 'string') return { tag: null, answer: first }
  const head = HEAD.exec(first)
  const tag = head?.[1] ?? TAG.exec(first)?.[1] ?? null
  const name = (head?.[3] ?? '').toUpperCase()
  const isUid = head?.[2] !== undefined
  const checked = head ? context.check(name, isUid) : badAnswer(first === '' ? 'Empty command' : NO_COMMAND)
  const rest = await readRest(context, first.slice(head?.[0].length ?? 0), checked)
  return Array.isArray(rest) ? { tag: tag ?? '', name, isUid, segments: rest } : { tag, answer: rest }
}

const NO_COMMAND = 'Expected a tag and a command'

/** The line, or why not. */
const readLine = async ({ input, limits }: ReadContext): Promise<string | Completion> => {
  const line = await input.line({ maxBytes: limits.lineBytes, ms: limits.lineMs })
  if (line) return line.toString('latin1')
  const isSkipped = await input.skipLine({ maxBytes: SKIPPED_BYTES, ms: limits.lineMs })
  return badAnswer('The line is too long', { code: 'TOOBIG', closes: !isSkipped })
}

/** Reads the arguments. A command that was already refused is read to its end if its literals do not wait for us. */
const readRest = async (
  context: ReadContext,
  start: string,
  checked: { takesMessages: boolean } | Completion,
): Promise<Segment[] | Completion> => {
  const room = openRoom(context, 'status' in checked ? null : checked)
  let refused: Completion | null = 'status' in checked ? checked : null
  const segments: Segment[] = []
  for (let text = start; ; ) {
    const found = LITERAL.exec(text)
    segments.push(found ? text.slice(0, found.index) : text)
    if (!found) return refused ?? segments
    const size = Number(found[2])
    refused ??= room.refusal(size)
    const isWaiting = found[3] === ''
    // RFC 9051 §4.3: the client sends it only after a continuation request.
    if (refused && isWaiting) return refused
    if (isWaiting) await context.goOn()
    const read = refused ? await skip(context, size) : await room.read(size, found[1] === '~')
    if ('status' in read) refused = read
    else segments.push(read)
    if (refused?.closes) return refused
    const line = await readLine(context)
    if (typeof line !== 'string') return line
    text = line
  }
}

type Room = {
  /** Counts a literal in; why it does not fit, if it does not. */
  refusal(size: number): Completion | null
  /** Reads the one that was counted in last. */
  read(size: number, isBinary: boolean): Promise<Literal | Completion>
}

/** How much a command may still hold. */
const openRoom = (context: ReadContext, command: { takesMessages: boolean } | null): Room => {
  const { limits, isSignedIn, maxMessageBytes } = context
  const takesMessages = command?.takesMessages === true && isSignedIn
  const maxLiteral = takesMessages ? maxMessageBytes : isSignedIn ? limits.literalBytes : limits.strangerLiteralBytes
  let memory = limits.commandBytes
  let disk = maxMessageBytes * MESSAGES_PER_COMMAND
  let literals = limits.literals
  let isStored = false
  return {
    refusal(size) {
      literals -= 1
      isStored = takesMessages && (size > MEMORY_LITERAL_BYTES || size > memory)
      if (isStored) disk -= size
      else memory -= size
      const fits = size <= maxLiteral && memory >= 0 && disk >= 0 && literals >= 0
      return fits ? null : TOO_LARGE
    },
    read: (size, isBinary) => readLiteral(context, { size, isBinary, isStored }),
  }
}

const TOO_LARGE: Completion = { status: 'NO', code: 'TOOBIG', text: 'The command is too large' }

const readLiteral = async (
  context: ReadContext,
  { size, isBinary, isStored }: { size: number; isBinary: boolean; isStored: boolean },
): Promise<Literal | Completion> => {
  const { input, limits, blobs, maxMessageBytes } = context
  const bytes = input.bytes(size, limits)
  if (!isStored) {
    // Copied: pieces of what the socket read would keep all of it, and many small ones much more.
    const whole = Buffer.allocUnsafe(size)
    let at = 0
    for await (const chunk of bytes) at += chunk.copy(whole, at)
    return { size, isBinary, bytes: whole }
  }
  try {
    return { size, isBinary, blob: await putMessage(blobs, bytes, { maxBytes: maxMessageBytes }) }
  } catch (error) {
    if (error instanceof StoreRefusal) return { ...TOO_LARGE, closes: true }
    throw error
  }
}

/** Reads past a literal that is on its way already; the connection ends if it is too long for that. */
const skip = async ({ input, limits }: ReadContext, size: number): Promise<Completion | Literal> => {
  if (size > SKIPPED_BYTES) return { ...TOO_LARGE, closes: true }
  for await (const _ of input.bytes(size, limits));
  return { size: 0, isBinary: false, bytes: Buffer.alloc(0) }
}
