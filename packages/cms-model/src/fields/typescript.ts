import type { Options } from './define.ts'

/** What the file of types that is being written calls other things. */
export type TypeWriter = {
  /** The data of a content type; undefined for one that cannot be read. */
  dataOf(type: unknown): string | undefined
  /** An object with these fields. */
  objectOf(fields: unknown): string
}

/** A text as TypeScript writes it. */
export const quote = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** The values of the choices. */
export const choiceTypes = ({ options }: Options): string[] =>
  Array.isArray(options) ? options.map((option: { value: unknown }) => quote(String(option.value))) : []
