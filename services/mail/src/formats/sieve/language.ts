import type { SieveExtension } from './define.ts'

/** What scripts can be written in: the core, and the extensions that they can require. */
export type Language = { readonly base: SieveExtension; readonly extensions: ReadonlyMap<string, SieveExtension> }

/** A member of a record by a name that somebody wrote. */
export const member = <T>(record: Readonly<Record<string, T>> | undefined, name: string): T | null =>
  record && Object.hasOwn(record, name) ? (record[name] ?? null) : null

/** What the first of the extensions has to offer. */
export const findIn = <T>(
  extensions: Iterable<SieveExtension>,
  look: (extension: SieveExtension) => T | null,
): T | null => {
  for (const extension of extensions) {
    const found = look(extension)
    if (found !== null) return found
  }
  return null
}

/** Returns which extension a script would have to require, if there is one. */
export const requireHint = (language: Language, look: (extension: SieveExtension) => unknown): string => {
  const found = [...language.extensions.values()].find((extension) => look(extension) !== null)
  return found ? `; add require "${found.name}"` : ''
}
