import { readBody } from '@stoa/kit/http/body.ts'
import { discardBody } from '@stoa/kit/http/discard-body.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import type { Ctx } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import type { ProviderEvent } from '../provider.ts'
import { insertEvent } from './queries.ts'
import { requestSync } from './sync.ts'

/** A callback has a few kilobytes. */
const MAX_BYTES = 256 * 1024
const BODY_MS = 10_000

/**
 * Takes a callback of the provider: the event is stored by its id, and its customer is read again by the worker. What
 * the body says about money is not looked at, so that neither its order nor its age matters.
 */
export const receiveCallback = async (ctx: Ctx, request: Incoming): Promise<{ received: true }> => {
  const event = await readEvent(ctx, request)
  const { id, type, customer } = event
  const now = ctx.now()
  await ctx.tx(async (tx) => {
    const isNew = await insertEvent(tx, { id, type, customer, received_at: now })
    if (isNew && customer !== null) await requestSync(tx, { reference: customer }, now)
  })
  return { received: true }
}

const readEvent = async (ctx: Ctx, request: Incoming): Promise<ProviderEvent> => {
  const { payments } = ctx.parts
  if (!payments) return refuse(request, 'No payment provider is configured.')
  const { signatureHeader } = payments
  const signature = request.header(signatureHeader)
  if (signature === undefined) return refuse(request, `The \`${signatureHeader}\` header is missing.`)
  const raw = await readRaw(request)
  const event = payments.readEvent(raw, signature, ctx.now())
  return event ?? fail('validation_error', { message: 'The signature is invalid or expired.' })
}

const refuse = (request: Incoming, message: string): never => {
  discardBody(request.raw, MAX_BYTES)
  return fail('validation_error', { message })
}

const readRaw = async (request: Incoming): Promise<Buffer> => {
  try {
    return await readBody(request.raw, MAX_BYTES, BODY_MS)
  } catch (error) {
    discardBody(request.raw, MAX_BYTES)
    throw error
  }
}
