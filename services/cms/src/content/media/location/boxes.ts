import { type ByteSource, MAX_PARTS, type Piece } from './blocks.ts'

/** A box of ISO/IEC 14496-12 §4.2: `start` is where its type is, `body` what follows its head. */
export type Box = { type: string; start: number; body: Piece }

/** The boxes inside of this range, one after the other; they share one allowance. */
export async function* boxesIn(
  source: ByteSource,
  { offset, length }: Piece,
  allowance: Allowance,
): AsyncGenerator<Box> {
  const end = Math.min(offset + length, source.size)
  for (let at = offset; at + 8 <= end; ) {
    allowance.left -= 1
    if (allowance.left < 0) return
    const head = await source.read(at, 16)
    if (head.length < 8) return
    const { size, headBytes } = sizeOf(head, end - at)
    if (size < headBytes || at + size > end) return
    const body = { offset: at + headBytes, length: size - headBytes }
    yield { type: head.toString('latin1', 4, 8), start: at + 4, body }
    at += size
  }
}

export type Allowance = { left: number }
export const newAllowance = (): Allowance => ({ left: MAX_PARTS })

const sizeOf = (head: Buffer, room: number): { size: number; headBytes: number } => {
  const size = head.readUInt32BE()
  if (size === 0) return { size: room, headBytes: 8 }
  if (size !== 1) return { size, headBytes: 8 }
  return { size: head.length < 16 ? 0 : Number(head.readBigUInt64BE(8)), headBytes: 16 }
}

/** The content of a full box, after its version and flags. */
export const insideFull = ({ offset, length }: Piece): Piece => ({
  offset: offset + 4,
  length: Math.max(0, length - 4),
})
