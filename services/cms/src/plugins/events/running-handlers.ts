import type { Services } from '../../context.ts'
import type { PluginCall } from '../running/running.ts'
import { PluginProblem, SandboxFailure } from '../sandbox/sandbox.ts'

/** `later`: the plugin could not be asked at all, which is not its handler's fault. */
export type HandlerOutcome = 'done' | 'failed' | 'later'

/** Until a sandbox has started again, or has fewer calls waiting. */
export const LATER_MS = 5_000

/** Runs a handler as the plugin itself. What it did is among its runs; an abort throws. */
export const runHandler = async (
  { plugins }: Pick<Services, 'plugins'>,
  plugin: string,
  { chain, ...call }: Omit<PluginCall, 'caller'> & { chain: number },
  signal: AbortSignal,
): Promise<HandlerOutcome> => {
  const gaveUp = Promise.withResolvers<never>()
  const giveUp = () => gaveUp.reject(signal.reason)
  signal.addEventListener('abort', giveUp)
  try {
    signal.throwIfAborted()
    await Promise.race([plugins.run(plugin, { ...call, caller: { kind: 'plugin', chain } }), gaveUp.promise])
    return 'done'
  } catch (error) {
    if (error instanceof SandboxFailure) return error.kind === 'busy' || error.kind === 'stopped' ? 'later' : 'failed'
    if (error instanceof PluginProblem) return 'failed'
    throw error
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
