/** Smaller pieces are joined: by its own, each costs a hundred times a byte. */
const SMALL = 1_024

/** Keeps what came behind what waits. A peer that sends single bytes (TLS records of one) fills bytes, not objects. */
export const addChunk = (chunks: Buffer[], chunk: Buffer): void => {
  const last = chunks.at(-1)
  if (last && last.length < SMALL && chunk.length < SMALL) chunks[chunks.length - 1] = Buffer.concat([last, chunk])
  else chunks.push(chunk)
}
