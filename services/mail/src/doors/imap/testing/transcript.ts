import type { PlantedAddress } from '../../../hosting/addresses/testing/hosting.ts'
import type { ImapClient } from './client.ts'
import type { ImapGround } from './ground.ts'

/**
 * A conversation as it is written in an RFC, played against the real server:
 *
 *     C: a1 select inbox          the client sends this
 *     S: * <n> EXISTS             the next response; <n> keeps what it matched, and must match the same from then on
 *     S: * OK [UNSEEN <*>         <*> matches anything
 *     S: ...                      whatever comes up to the response of the next line
 *     S~: * 1 FETCH (<*>          lines with ~ that follow each other may come in any order
 *     C2: b1 noop                 a second session; S2: is what it receives
 *     # a comment
 *
 * FLAGS and PERMANENTFLAGS, which announce keywords, may come at any time: they are looked at where a line says so. Kept
 * names stand for their values in what the client sends; `\r\n` is a line end inside of a literal.
 */
export type Transcript = {
  /** Plays lines; a session signs in with its first line. Returns what was kept. */
  play(text: string): Promise<Map<string, string>>
  /** The connection of a session: 1 unless it has another number. */
  session(number?: number): Promise<ImapClient>
}

export type TranscriptOptions = {
  /** Values that are known from the beginning. */
  values?: Record<string, string>
  /** Nobody is signed in: the first response is the greeting. */
  isStranger?: boolean
}

export const openTranscript = (
  ground: ImapGround,
  address: PlantedAddress,
  options: TranscriptOptions = {},
): Transcript => {
  const values = new Map(Object.entries(options.values ?? {}))
  const sessions = new Map<number, Promise<ImapClient>>()
  const session = (number = 1): Promise<ImapClient> => {
    const known = sessions.get(number)
    if (known) return known
    const made = options.isStranger ? ground.connect() : ground.signIn(address)
    sessions.set(number, made)
    return made
  }
  return {
    session,
    async play(text) {
      const lines = readLines(text)
      for (let at = 0; at < lines.length; ) at += await playLine(lines, at, { session, values })
      return values
    },
  }
}

type Line = { number: number; side: 'C' | 'S'; isLoose: boolean; text: string; source: string }
type Stage = { session: (number: number) => Promise<ImapClient>; values: Map<string, string> }

const readLines = (text: string): Line[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((source) => {
      const found = /^([CS])(\d*)(~?): ?(.*)$/.exec(source)
      if (!found) throw new Error(`not a line of a transcript: ${source}`)
      const side = found[1] === 'C' ? 'C' : 'S'
      const body = (found[4] ?? '').replaceAll('\\r\\n', '\r\n')
      return { number: Number(found[2] || 1), side, isLoose: found[3] === '~', text: body, source }
    })

/** Gives how many lines were played. */
const playLine = async (lines: readonly Line[], at: number, { session, values }: Stage): Promise<number> => {
  const line = lines[at]
  if (!line) return 1
  const client = await session(line.number)
  if (line.side === 'C') {
    client.write(`${filledIn(line.text, values)}\r\n`)
    return 1
  }
  if (line.text === '...') {
    const next = lines[at + 1]
    if (!next) throw new Error('... must be followed by what it leads to')
    while (!matches(next, await nextResponse(client, next), values));
    return 2
  }
  if (!line.isLoose) {
    const response = await nextResponse(client, line)
    if (!matches(line, response, values)) throw mismatch([line], response, values)
    return 1
  }
  return playLoose(lines, at, client, values)
}

const playLoose = async (
  lines: readonly Line[],
  at: number,
  client: ImapClient,
  values: Map<string, string>,
): Promise<number> => {
  const first = lines[at]
  const end = lines.findIndex((each, index) => index > at && !(each.isLoose && each.number === first?.number))
  const group = lines.slice(at, end === -1 ? lines.length : end)
  const left = [...group]
  for (const each of group) {
    const response = await nextResponse(client, each)
    const found = left.findIndex((candidate) => matches(candidate, response, values))
    if (found === -1) throw mismatch(left, response, values)
    left.splice(found, 1)
  }
  return group.length
}

const ANNOUNCEMENTS = ['* FLAGS ', '* OK [PERMANENTFLAGS ']

const nextResponse = async (client: ImapClient, line: Line): Promise<string> => {
  try {
    for (;;) {
      const response = (await client.response()) ?? '(the connection ended)'
      const announcement = ANNOUNCEMENTS.find((opening) => response.startsWith(opening))
      if (announcement === undefined || line.text.startsWith(announcement)) return response
    }
  } catch (error) {
    throw new Error(`waiting for "${line.source}": ${String(error)}`)
  }
}

const mismatch = (wanted: readonly Line[], response: string, values: ReadonlyMap<string, string>): Error =>
  new Error(
    `expected ${wanted.map(({ source, text }) => `"${source}" (${filledIn(text, values)})`).join(' or ')}\n but got "${response}"`,
  )

const NAME = /<(\*|[a-z][a-z0-9]*)>/gi

const filledIn = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replace(NAME, (whole, name: string) => values.get(name) ?? whole)

/** `END` stands for the end of the connection. */
const matches = ({ text }: Line, response: string, values: Map<string, string>): boolean => {
  if (text === 'END') return response === '(the connection ended)'
  const names: string[] = []
  const pattern = text.split(NAME).map((piece, index) => {
    if (index % 2 === 0) return escaped(piece)
    const known = values.get(piece)
    if (known !== undefined) return escaped(known)
    if (piece !== '*') names.push(piece)
    return piece === '*' ? '[^]*?' : '([^]+?)'
  })
  const found = new RegExp(`^${pattern.join('')}$`).exec(response)
  if (!found) return false
  for (const [index, name] of names.entries()) values.set(name, found[index + 1] ?? '')
  return true
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
