import {
  type HandlerName,
  type Invocation,
  type Json,
  type Sandbox,
  SandboxFailure,
  type SandboxOptions,
} from '../../sandbox/sandbox.ts'

type Handler = (input: Json, tools: Pick<Invocation, 'reach' | 'onLog'>) => unknown
type Module = Partial<Record<'routes' | 'events' | 'schedules', Record<string, Handler>>>

/** Runs plugins as plain modules of this process: for tests of what is around a sandbox. */
export type ModuleSandboxes = {
  create(options: SandboxOptions): Sandbox
  /** Sandboxes that were started and not stopped, by plugin. */
  running(name: string): number
  /** The thread of the plugin dies. */
  kill(name: string, reason: string): void
}

export const moduleSandboxes = (): ModuleSandboxes => {
  const started = new Set<SandboxOptions>()
  return {
    running: (name) => [...started].filter((one) => one.name === name).length,
    kill: (name, reason) => {
      for (const one of started) if (one.name === name) one.onDeath(reason)
    },
    create(options) {
      let module: Promise<Module> | undefined
      let isStopped = false
      const start = async (): Promise<Module> => {
        started.add(options)
        module ??= import(`data:text/javascript,${encodeURIComponent(options.code)}`).catch((error: Error) => {
          throw new SandboxFailure('failed', error.message)
        })
        const loaded = await module
        const missing = options.handlers.find((handler) => handlerOf(loaded, handler) === undefined)
        if (missing) throw new SandboxFailure('failed', `The handler ${missing.name} is missing`)
        return loaded
      }
      return {
        start: async () => void (await start()),
        async run(invocation) {
          if (isStopped) throw new SandboxFailure('stopped', 'It was stopped')
          const handler = handlerOf(await start(), invocation)
          if (!handler) throw new SandboxFailure('failed', 'There is no such handler')
          try {
            return (await handler(invocation.input, invocation)) as Json | undefined
          } catch (error) {
            throw new SandboxFailure('failed', error instanceof Error ? error.message : String(error))
          }
        },
        async stop() {
          isStopped = true
          started.delete(options)
        },
      }
    },
  }
}

const MEMBERS = { route: 'routes', event: 'events', schedule: 'schedules' } as const

const handlerOf = (module: Module, { kind, name }: HandlerName): Handler | undefined => module[MEMBERS[kind]]?.[name]
