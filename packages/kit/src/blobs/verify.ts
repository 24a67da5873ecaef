import { createHash, hash as hashOnce } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'
import { BlobError } from './blobs.ts'

/**
 * Passes a whole blob on while hashing it. The last piece is held back until the hash is known to be right, so that a
 * damaged blob never arrives complete: the stream ends with BlobError `corrupt`.
 */
export const verified = (
  source: Readable,
  key: string,
  translate: (error: Error) => Error = (error) => error,
): Readable => {
  const hash = createHash('sha256')
  let held: Buffer | undefined
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      const ready = held
      held = chunk
      done(null, ready)
    },
    flush(done) {
      if (hash.digest('hex') === key) done(null, held)
      else done(damage(key))
    },
  })
  return chain(source, check, translate)
}

/** `verified` for bytes in memory: throws BlobError `corrupt` if they are damaged. */
export const verifyBytes = (bytes: Buffer, key: string): void => {
  if (hashOnce('sha256', bytes) !== key) throw damage(key)
}

const damage = (key: string): BlobError =>
  new BlobError('corrupt', `blob ${key} is damaged: its content does not have its hash`)

/** Connects two streams so that either's end or failure is the other's, and gives the second. */
export const chain = <S extends Transform>(source: Readable, target: S, translate: (error: Error) => Error): S => {
  source.once('error', (error) => target.destroy(translate(error)))
  pipeline(source, target, () => {
    // The consumer of `target` sees the error; a consumer that went away is no error.
  })
  return target
}
