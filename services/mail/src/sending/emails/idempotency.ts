import { createHash } from 'node:crypto'
import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import type { z } from 'zod'
import { fail } from '../../errors.ts'
import type { Tables } from '../../tables.ts'
import {
  findStoredAnswer,
  type IdempotencyKey,
  insertAnswer,
  type StoredAnswer,
  tryLockKey,
} from './idempotency-queries.ts'

/** How long the same request gets the same answer. */
export const IDEMPOTENCY_MS = 86_400_000
const MAX_KEY = 256

/** The idempotency key of a request, so that repeating it has no effect; null without a key. */
export type Repeatable = (IdempotencyKey & { hash: Buffer }) | null

/** The key of a request, and what it asks for. */
export const readIdempotencyKey = (
  request: Pick<Incoming, 'header'>,
  { accountId, route, payload }: { accountId: string; route: string; payload: unknown },
): Repeatable => {
  const key = request.header('idempotency-key')
  if (key === undefined) return null
  if (key === '' || key.length > MAX_KEY) fail('invalid_idempotency_key')
  return { accountId, route, key, hash: createHash('sha256').update(JSON.stringify(payload)).digest() }
}

/** The answer that was given already, before any work is done; null when there is none. */
export const earlierAnswer = async <Answer>(
  db: Db<Tables>,
  repeatable: Repeatable,
  { schema, now }: { schema: z.ZodType<Answer>; now: Date },
): Promise<Answer | null> => {
  const stored = repeatable && (await findStoredAnswer(db, repeatable, new Date(now.getTime() - IDEMPOTENCY_MS)))
  return repeatable && stored ? sameAnswer(repeatable, stored, schema) : null
}

/**
 * Does the work of a request once: its answer is written in the same transaction, so either both are there or neither.
 * Another one with the same key that is under way at this moment is refused; nobody waits.
 */
export const once = async <Answer>(
  tx: Tx<Tables>,
  repeatable: Repeatable,
  { schema, now, work }: { schema: z.ZodType<Answer>; now: Date; work: () => Promise<Answer> },
): Promise<Answer> => {
  if (!repeatable) return work()
  if (!(await tryLockKey(tx, repeatable))) fail('concurrent_idempotent_requests')
  const known = await earlierAnswer(tx, repeatable, { schema, now })
  if (known !== null) return known
  const answer = await work()
  await insertAnswer(tx, repeatable, { request_hash: repeatable.hash, response: answer, now })
  return answer
}

const sameAnswer = <Answer>(
  { hash }: NonNullable<Repeatable>,
  stored: StoredAnswer,
  schema: z.ZodType<Answer>,
): Answer => (hash.equals(stored.request_hash) ? schema.parse(stored.response) : fail('invalid_idempotent_request'))
