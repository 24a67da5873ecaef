import type { NetworkBody } from './http.ts'

/** A file inside of a JSON text. */
export type Base64File = { bytes: number; read(): AsyncIterable<Uint8Array> }

/** JSON with files in it as base64, of known length and never whole in memory. Texts and files take turns as given. */
export const base64Body = (pieces: readonly (string | Base64File)[]): NetworkBody => {
  const length = pieces.reduce((sum, piece) => sum + lengthOf(piece), 0)
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (const piece of pieces)
      if (typeof piece === 'string') yield Buffer.from(piece)
      else yield* encode(piece.read())
  }
  return { bytes: bytes(), length, type: 'application/json' }
}

const lengthOf = (piece: string | Base64File): number =>
  typeof piece === 'string' ? Buffer.byteLength(piece) : 4 * Math.ceil(piece.bytes / 3)

/** Three bytes become four characters: what is left of a chunk waits for the next. */
async function* encode(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const joined = Buffer.concat([rest, chunk])
    const whole = joined.length - (joined.length % 3)
    rest = joined.subarray(whole)
    if (whole > 0) yield Buffer.from(joined.subarray(0, whole).toString('base64'))
  }
  if (rest.length > 0) yield Buffer.from(Buffer.from(rest).toString('base64'))
}
