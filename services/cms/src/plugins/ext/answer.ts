import { AppError } from '@stoa/kit/errors.ts'
import { type RawBody, type Reply, reply } from '@stoa/kit/http/route.ts'
import type { Ctx } from '../../context.ts'
import { catalogue, error } from '../../errors.ts'
import type { EnabledPlugin, PluginCall } from '../running/running.ts'
import { type Json, PluginProblem, SandboxFailure } from '../sandbox/sandbox.ts'

const MAX_ANSWER_BYTES = 1024 * 1024
const MAX_MESSAGE = 1_000
/** A plugin that has too many calls waiting has done some of them by then. */
const BUSY_RETRY_SECONDS = '2'

/** Has a plugin answer. What it gives is data: type, status and headers are ours. */
export const answerOf = async (
  { plugins, log }: Pick<Ctx, 'plugins' | 'log'>,
  plugin: EnabledPlugin,
  call: PluginCall,
): Promise<Reply<RawBody>> => {
  const value = await plugins.run(plugin.name, call).catch((raised: unknown) => {
    if (raised instanceof PluginProblem) throw refusalOf(raised)
    if (raised instanceof SandboxFailure && raised.kind === 'busy')
      throw error('UNAVAILABLE', {
        message: 'The plugin is busy. Try again later.',
        headers: { 'retry-after': BUSY_RETRY_SECONDS },
      })
    // Any other error is the service's own.
    if (!(raised instanceof SandboxFailure)) throw raised
    log.warn({ plugin: plugin.name, handler: call.name, reason: raised.kind }, 'a plugin failed to answer')
    throw failed(plugin)
  })
  if (value === undefined) return reply(null, { status: 204 })
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > MAX_ANSWER_BYTES) throw failed(plugin, "The plugin's response is larger than 1 MiB")
  return reply(text, { contentType: 'application/json; charset=utf-8' })
}

const failed = ({ name }: EnabledPlugin, message?: string): AppError =>
  error('PLUGIN_FAILED', { details: { plugin: name }, ...(message !== undefined && { message }) })

/** The plugin's own words, under a code that is never taken for one of the service. */
const refusalOf = ({ status, message, details }: PluginProblem): AppError => {
  const isRefusal = Number.isInteger(status) && status >= 400 && status <= 499
  const shown = detailsOf(details)
  return new AppError(
    'PLUGIN_REFUSED',
    isRefusal ? status : catalogue.PLUGIN_REFUSED.status,
    message.slice(0, MAX_MESSAGE).toWellFormed() || catalogue.PLUGIN_REFUSED.message,
    shown && Buffer.byteLength(JSON.stringify(shown)) <= MAX_ANSWER_BYTES ? { details: shown } : {},
  )
}

const detailsOf = (details: Json): Record<string, unknown> | null => {
  if (details === null) return null
  return typeof details === 'object' && !Array.isArray(details) ? { ...details } : { value: details }
}
