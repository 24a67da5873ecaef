import { transferDecoder } from '../../../formats/mime/mime.ts'
import { StoreRefusal } from '../../../store/store.ts'
import type { PartialRange } from './fetch-items.ts'

type Pieces = AsyncIterable<Buffer>
type Made = AsyncGenerator<Buffer, void, undefined>

/** RFC 9051 §4.3: NUL cannot stand in a literal. Only BINARY shows it; elsewhere it becomes what shows that it was there. */
export const withoutNul = (bytes: Buffer): Buffer => {
  if (!bytes.includes(0)) return bytes
  const copy = Buffer.from(bytes)
  for (let at = copy.indexOf(0); at !== -1; at = copy.indexOf(0, at + 1)) copy[at] = REPLACEMENT
  return copy
}

const REPLACEMENT = 0x80

export async function* piecesWithoutNul(pieces: Pieces): Made {
  for await (const piece of pieces) yield withoutNul(piece)
}

/** Takes the transfer encoding off. */
export async function* decodePieces(pieces: Pieces, encoding: string): Made {
  const decoder = transferDecoder(encoding)
  for await (const piece of pieces) {
    const content = decoder.write(piece)
    if (content.length > 0) yield content
  }
  const rest = decoder.end()
  if (rest.length > 0) yield rest
}

/** `<origin.count>` of what is only known piece by piece; reads no further than it has to. */
export async function* partOfPieces(pieces: Pieces, { origin, count }: PartialRange): Made {
  let skip = origin
  let left = count
  for await (const piece of pieces) {
    const from = Math.min(piece.length, skip)
    const part = piece.subarray(from, from + left)
    skip -= from
    left -= part.length
    if (part.length > 0) yield part
    if (left === 0) return
  }
}

/**
 * So many bytes, whatever happens: a message that turns out to be damaged while it is sent is filled up, so that the
 * client does not take what follows for it. `onDamage` is called, and the answer to the command reports it to the client.
 */
export async function* filledUp(pieces: Pieces, size: number, onDamage: () => void): Made {
  let left = size
  try {
    for await (const piece of pieces) {
      const part = piece.length > left ? piece.subarray(0, left) : piece
      left -= part.length
      yield part
      if (piece.length > part.length) break
    }
  } catch (error) {
    if (!isDamage(error)) throw error
  }
  if (left > 0) onDamage()
  for (; left > 0; left -= Math.min(left, FILLER.length)) yield FILLER.subarray(0, left)
}

const FILLER = Buffer.alloc(16_384, ' ')

/** Pieces of which the first has been read, so that what is missing is noticed before anything is sent. */
export type Begun = { readonly pieces: Made; close(): Promise<void> }

export const begin = async (pieces: Made): Promise<Begun> => {
  const first = await pieces.next()
  const all = async function* (): Made {
    if (!first.done) yield first.value
    yield* pieces
  }
  return {
    pieces: all(),
    async close() {
      await pieces.return()
    },
  }
}

export const isDamage = (error: unknown): boolean => error instanceof StoreRefusal && error.kind === 'no_such_blob'
