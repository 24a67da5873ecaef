import { type BodyEdit, type HeaderLine, mediaTypeOf, type SieveHeader, type SievePart } from './message.ts'
import { SieveRuntimeError } from './problems.ts'
import type { Run } from './run-state.ts'

/** A header field as the script sees it, and where it comes from. */
export type EditedLine = { readonly line: HeaderLine; readonly header: SieveHeader }

/** The header of the message from top to bottom. */
export const headerLines = ({ chain }: Run): EditedLine[] =>
  chain.message.root.headers.map((header, index) => ({
    line: chain.edits.headers?.[index] ?? { original: index },
    header,
  }))

/** Gives the message another header; tests and actions from here on see it. */
export const setHeaderLines = (run: Run, lines: readonly EditedLine[]): void => {
  const { chain } = run
  const added = lines.filter(({ line }) => 'name' in line).length
  if (added > run.limits.headerEdits)
    throw new SieveRuntimeError(`adds more than ${run.limits.headerEdits} header fields`)
  run.spend(lines.length)
  chain.edits = { ...chain.edits, headers: lines.map(({ line }) => line) }
  const headers = lines.map(({ header }) => header)
  const { size, root } = chain.message
  chain.message = { ...chain.message, size: size + octetsGained(root.headers, headers), root: { ...root, headers } }
}

const octetsGained = (before: readonly SieveHeader[], after: readonly SieveHeader[]): number =>
  octetsIn(after, new Set(before)) - octetsIn(before, new Set(after))

const octetsIn = (headers: readonly SieveHeader[], without: ReadonlySet<SieveHeader>): number =>
  headers
    .filter((header) => !without.has(header))
    .reduce((sum, { name, raw }) => sum + Buffer.byteLength(`${name}:${raw}\r\n`), 0)

/** A header field that a script makes. It stays one field whatever the value has. */
export const newLine = (name: string, value: string): EditedLine => {
  const flat = value.replace(/\s*[\r\n]+\s*/g, ' ').trim()
  return { line: { name, value: flat }, header: { name, raw: ` ${flat}`, decoded: flat } }
}

/** Notes a change of the body, and gives the script the message as it will be. */
export const editBody = (run: Run, edit: BodyEdit, root: SievePart): void => {
  const { chain } = run
  if (chain.edits.body.length >= run.limits.headerEdits) throw new SieveRuntimeError('changes the body too many times')
  const before = edit.kind === 'enclose' ? [] : chain.edits.body
  chain.edits = { ...chain.edits, body: [...before, edit] }
  const body = () => (edit.kind === 'replace' ? edit.text : chain.environment.message.body())
  chain.message = { ...chain.message, root: { ...root, headers: chain.message.root.headers }, body }
}

/** The tree with another part at the end of the path. */
export const replacePart = (root: SievePart, path: readonly number[], part: SievePart): SievePart => {
  const [index, ...rest] = path
  if (index === undefined) return part
  return { ...root, parts: root.parts.map((child, at) => (at === index ? replacePart(child, rest, part) : child)) }
}

/** A part of plain text, or of MIME as the script wrote it, its header first. */
export const partOfText = (source: string, isMime: boolean): SievePart => {
  const end = isMime ? source.indexOf('\r\n\r\n') : -1
  const headers = isMime ? headersIn(end < 0 ? source : source.slice(0, end)) : []
  const text = isMime ? (end < 0 ? '' : source.slice(end + 4)) : source
  return { headers, ...mediaTypeOf(headers), parts: [], content: () => Buffer.from(text), text: () => text }
}

const headersIn = (head: string): SieveHeader[] =>
  head.split(/\r\n(?![ \t])/).flatMap((line) => {
    const colon = line.indexOf(':')
    if (colon < 1) return []
    const raw = line.slice(colon + 1)
    return [{ name: line.slice(0, colon), raw, decoded: raw.replace(/\r\n/g, '').trim() }]
  })
