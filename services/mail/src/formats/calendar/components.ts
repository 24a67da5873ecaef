/** A content line of iCalendar (RFC 5545 §3.1). */
export type Property = {
  /** In upper case, as are the names of its parameters. */
  readonly name: string
  readonly parameters: ReadonlyMap<string, string>
  /** The raw value, with its escapes. */
  readonly value: string
}

/** A component with what is inside of it: VCALENDAR, VEVENT, VTIMEZONE. */
export type Component = {
  readonly name: string
  readonly properties: Property[]
  readonly components: Component[]
}

/** The longest calendar file; an invitation is some kilobytes, its attached pictures not counted. */
export const MAX_CALENDAR_LENGTH = 262_144
const MAX_LINES = 5_000
/** Longer ones hold files or descriptions, which nothing here asks for. */
const MAX_LINE_LENGTH = 16_384
const MAX_PARAMETERS = 32
const MAX_DEPTH = 8

/** The components at the top of a text; lines that are none are skipped, and whatever is left open ends with it. */
export const parseComponents = (text: string): Component[] => {
  const root: Component = { name: '', properties: [], components: [] }
  const open: Component[] = [root]
  for (const line of linesOf(text)) {
    const property = parseLine(line)
    if (!property) continue
    const current = open.at(-1) ?? root
    if (property.name === 'BEGIN') {
      if (open.length > MAX_DEPTH) return root.components
      const begun = { name: property.value.trim().toUpperCase(), properties: [], components: [] }
      current.components.push(begun)
      open.push(begun)
    } else if (property.name === 'END') {
      if (open.length > 1) open.pop()
    } else current.properties.push(property)
  }
  return root.components
}

/** RFC 5545 §3.1: a line that begins with white space goes on with the one before. */
const linesOf = (text: string): string[] =>
  text
    .slice(0, MAX_CALENDAR_LENGTH)
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n|\r/, MAX_LINES)

const NAME = /^[A-Za-z0-9-]{1,64}/

const parseLine = (line: string): Property | null => {
  if (line.length > MAX_LINE_LENGTH) return null
  const name = NAME.exec(line)?.[0]
  if (name === undefined) return null
  const parameters = new Map<string, string>()
  let at = name.length
  while (line[at] === ';') {
    const parameter = PARAMETER.exec(line.slice(at, at + MAX_LINE_LENGTH))
    if (!parameter || parameters.size >= MAX_PARAMETERS) return null
    const [whole, key = '', list = ''] = parameter
    if (!parameters.has(key.toUpperCase())) parameters.set(key.toUpperCase(), firstValue(list))
    at += whole.length
  }
  return line[at] === ':' ? { name: name.toUpperCase(), parameters, value: line.slice(at + 1) } : null
}

const PARAMETER = /^;([A-Za-z0-9-]{1,64})=((?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)/

const CARETS: Readonly<Record<string, string>> = { '^n': '\n', '^^': '^', "^'": '"' }

/** The first value of a list; RFC 6868 says how quotes and line breaks are encoded. */
const firstValue = (list: string): string => {
  const value = /^(?:"([^"]*)"|([^,]*))/.exec(list)
  return (value?.[1] ?? value?.[2] ?? '').replace(/\^[n^']/g, (pair) => CARETS[pair] ?? pair)
}

export const findProperty = ({ properties }: Component, name: string): Property | undefined =>
  properties.find((property) => property.name === name)

/** RFC 5545 §3.3.11. */
export const unescapeText = (value: string): string =>
  value.replace(/\\([\\;,nN])/g, (_escape, sign: string) => (sign === 'n' || sign === 'N' ? '\n' : sign))

export const escapeText = (text: string): string =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/\p{Cc}/gu, ' ')
