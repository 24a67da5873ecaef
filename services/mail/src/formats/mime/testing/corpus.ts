import { readdirSync, readFileSync } from 'node:fs'

const FOLDER = new URL('./corpus/', import.meta.url)

/** The messages that were written for the project: each does one thing that real mail does. */
export const corpus: ReadonlyMap<string, Buffer> = new Map(
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.eml'))
    .map((file) => [file.slice(0, -'.eml'.length), readFileSync(new URL(file, FOLDER))]),
)

/** One of them by its name. */
export const message = (name: string): Buffer => {
  const bytes = corpus.get(name)
  if (!bytes) throw new Error(`there is no message called ${name}`)
  return bytes
}
