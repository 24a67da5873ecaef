import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReadyLines } from '@stoa/kit/process.ts'
import { z } from 'zod'
import { root } from './environment.ts'
import { nodeEnvironment, nodeFlags, type Service } from './services.ts'

export type ServiceOptions = {
  env: NodeJS.ProcessEnv
  print: (line: string) => void
  /** Aborted: the service stops and is not started again. */
  signal: AbortSignal
  /** Starts the bundle of a service that has one, not its sources. */
  isBundled?: true
}

/** `ended` resolves when the service was stopped by the signal. */
export type SupervisedService = { lines: ReadyLines; ended: Promise<void> }

/** Starts a service and waits until it is ready; from then on, starts it again whenever it ends by itself. */
export const superviseService = async (service: Service, options: ServiceOptions): Promise<SupervisedService> => {
  const first = launchService(service, options)
  const lines = await first.ready
  return { lines, ended: keepRunning(service, first, options) }
}

/** One process of a service. `ready` fails when the process ends before; `ended` never fails. */
export type ServiceProcess = { ready: Promise<ReadyLines>; ended: Promise<string> }

/** Runs the service until it ends or the signal is aborted. */
export const launchService = (service: Service, { env, signal, isBundled }: ServiceOptions): ServiceProcess => {
  const { name, entry, bundle } = service
  const file = (isBundled && bundle) || entry
  signal.throwIfAborted()
  // A session of its own: Ctrl-C reaches us alone, and we stop things in their order.
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const
  const child = spawn(process.execPath, [...nodeFlags, resolve(root, file)], {
    cwd: root,
    env: { ...nodeEnvironment, ...env },
    detached: true,
    stdio: [...stdio],
  })
  const ended = new Promise<string>((done) => {
    child.once('error', (error) => done(error.message))
    child.once('exit', (code, by) => done(by ?? `code ${code}`))
  })
  const ready = new Promise<ReadyLines>((done, failed) => {
    child.on('message', (message) => {
      const parsed = readyMessage.safeParse(message)
      if (parsed.success) done(parsed.data.lines)
    })
    ended.then((how) => failed(new Error(`${name} didn't start (${how}). See the error above.`)))
  })
  ready.catch(() => undefined) // callers that do not await it learn of the end from `ended`
  const stop = (): void => stopChild(child, ended)
  signal.addEventListener('abort', stop, { once: true })
  ended.then(() => signal.removeEventListener('abort', stop))
  return { ready, ended }
}

const readyMessage = z.object({ type: z.literal('ready'), lines: z.array(z.tuple([z.string(), z.string()])) })

const STOP_PATIENCE_MS = 15_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
const STEADY_MS = 60_000 // who ran this long starts again without a longer pause

const keepRunning = async (service: Service, first: ServiceProcess, options: ServiceOptions): Promise<void> => {
  const { print, signal } = options
  let pause = FIRST_PAUSE_MS
  for (let current = first; ; ) {
    const startedAt = Date.now()
    const how = await current.ended
    if (signal.aborted) return
    pause = Date.now() - startedAt > STEADY_MS ? FIRST_PAUSE_MS : pause
    print(`${service.name} stopped (${how}); restarting it in ${pause / 1000} s`)
    await sleep(pause, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
    current = launchService(service, options)
    current.ready.then(
      () => print(`${service.name} is running again`),
      () => undefined,
    )
  }
}

const stopChild = (child: ChildProcess, ended: Promise<unknown>): void => {
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE_MS)
  ended.then(() => clearTimeout(timer))
}
