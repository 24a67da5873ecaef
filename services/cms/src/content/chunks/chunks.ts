import type { Field } from '@stoa/cms-model/fields/field.ts'
import { type Data, readData } from '@stoa/cms-model/fields/values.ts'
import type { CmsTx } from '../../context.ts'
import { blocksOf } from './blocks.ts'
import { type ChunkedEntry, replaceChunks } from './queries.ts'
import { splitText } from './split.ts'

export { LANGUAGE_CONFIGS, textConfigOf } from './text-config.ts'

/** A few sentences of an entry, under the heading that they stand below. */
export type Chunk = { heading: string; body: string }

/** As much as an answer can use of one place, and little enough for the place to mean something. */
export const CHUNK_LENGTH = 800
/** As the search document of an entry: beyond it, nobody waits for a save. */
export const MAX_CHUNKED_LENGTH = 200_000
/** Of pages with a heading above every word. */
export const MAX_CHUNKS = 500

/** What visitors can be told of an entry: its visible text, in pieces. At least one, so that it is found by its title. */
export const chunksOf = (fields: readonly Field[], data: Data): Chunk[] => {
  const chunks: Chunk[] = []
  let left = MAX_CHUNKED_LENGTH
  for (const { heading, text } of blocksOf(fields, readData(fields, data, 'visible'))) {
    if (left <= 0 || chunks.length >= MAX_CHUNKS) break
    const kept = text.slice(0, left).toWellFormed()
    left -= kept.length
    const last = chunks.at(-1)
    // Short fields and paragraphs below the same heading belong together.
    if (last && last.heading === heading && last.body.length + kept.length < CHUNK_LENGTH)
      last.body = `${last.body}\n${kept}`
    else chunks.push(...splitText(kept, CHUNK_LENGTH).map((body) => ({ heading, body })))
  }
  return chunks.length > 0 ? chunks.slice(0, MAX_CHUNKS) : [{ heading: '', body: '' }]
}

type Given = Pick<ChunkedEntry, 'id' | 'type' | 'locale' | 'title'> & { data: Data; isLive: boolean }

/** Brings the pieces of entries of one type up to what the public can read of them; of a draft there are none. */
export const writeChunks = (tx: CmsTx, fields: readonly Field[], entries: readonly Given[]): Promise<void> =>
  replaceChunks(
    tx,
    entries.map(({ id, type, locale, title, data, isLive }) => ({
      id,
      type,
      locale,
      title,
      chunks: isLive ? chunksOf(fields, data) : [],
    })),
  )
