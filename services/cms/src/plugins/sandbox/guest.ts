import quickjs from '@jitl/quickjs-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core'
import { type GuestHost, type GuestLimits, type GuestSources, guestBridge } from './guest-bridge.ts'
import { guestText } from './guest-text.ts'
import { guestUrl } from './guest-url.ts'
import {
  ENGINE_BYTES,
  MAX_LOG_LENGTH,
  MAX_REASON_LENGTH,
  MAX_VALUE_BYTES,
  MEMORY_BYTES,
  STACK_BYTES,
  type ThreadData,
} from './protocol.ts'
import type { HandlerName } from './types.ts'

/** The engine itself failed: nothing in this thread can be trusted any more. */
class EngineFailure extends Error {}

/** The code broke a limit, or is wrong: it is thrown away, the thread goes on. */
export class GuestFailure extends Error {
  /** Whether the engine can still be used, if the code did not load. */
  isClean = true
}

/** One copy of the plugin's code, in a runtime of its own: it runs one handler, once. */
export type Guest = {
  /** Connects the guest's calls to a host. */
  attach(host: GuestHost): void
  invoke(handler: HandlerName, input: string, now: number): void
  settle(call: number, isRefused: boolean, text: string | null): void
  /** False: it could not be taken apart, and the engine that it ran in is not to be used for another one. */
  dispose(): boolean
}

const WASM_PAGE = 65_536

/** Its types are those of its CommonJS form. */
const variant = quickjs as unknown as QuickJSSyncVariant

export const loadEngine = (): Promise<QuickJSWASMModule> => {
  // The engine's own limit counts what it asks for in one piece only; that of the memory counts everything.
  const wasmMemory = new WebAssembly.Memory({
    initial: ENGINE_BYTES / WASM_PAGE,
    maximum: (ENGINE_BYTES + MEMORY_BYTES) / WASM_PAGE,
  })
  return newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory }))
}

/** Makes a copy of the code that is ready to run a handler; throws GuestFailure with what is wrong with it. */
export const openGuest = (engine: QuickJSWASMModule, data: ThreadData): Guest => {
  const { code, handlers } = data
  const runtime = engine.newRuntime()
  runtime.setMemoryLimit(MEMORY_BYTES)
  runtime.setMaxStackSize(STACK_BYTES)
  runtime.setModuleLoader(
    (name) => (name === 'stoa' ? STOA_MODULE : { error: new Error(`'${name}' can't be imported, only 'stoa' can`) }),
    (_base, name) => name,
  )
  const context = runtime.newContext()
  let host = IDLE
  let isDone = false
  const bridge = openBridge(context, () => host)
  const inside: Inside = { context, bridge, turn: turns(runtime, data, () => isDone) }
  const dispose = (): boolean => {
    // The engine ends itself over a runtime that still has work, or that lost count of its memory.
    if (inside.turn.isOver() || runtime.hasPendingJob()) return false
    try {
      for (const handle of Object.values(bridge)) handle.dispose()
      context.dispose()
      runtime.dispose()
      return true
    } catch {
      return false
    }
  }
  const textOf = (value: string) => context.newString(value)
  try {
    evaluate(inside, "import 'stoa'", 'start').dispose()
    const missing = ask(inside, 'load', evaluate(inside, code, 'server.js'), textOf(JSON.stringify(handlers)))
    if (missing !== '') throw new GuestFailure(`server.js doesn't export ${missing}`)
  } catch (error) {
    if (error instanceof GuestFailure) error.isClean = dispose()
    throw error
  }
  // Loading does not count against the handler.
  inside.turn.reset()
  return {
    attach: (next) => {
      const last =
        <A extends unknown[]>(act: (...args: A) => void) =>
        (...args: A) => {
          isDone = true
          act(...args)
        }
      host = { ...next, value: last(next.value), problem: last(next.problem), failed: last(next.failed) }
    },
    invoke: ({ kind, name }, input, now) => {
      ask(inside, 'invoke', textOf(`${kind} ${name}`), textOf(input), context.newNumber(now))
    },
    settle: (call, isRefused, answer) => {
      const given = answer === null ? context.undefined : textOf(answer)
      ask(inside, 'settle', context.newNumber(call), isRefused ? context.true : context.false, given)
    },
    dispose,
  }
}

const limits: GuestLimits = {
  valueLength: MAX_VALUE_BYTES,
  logLength: MAX_LOG_LENGTH,
  reasonLength: MAX_REASON_LENGTH,
}

const late: GuestSources = { text: `(${guestText})()`, url: `(${guestUrl})()` }
const BRIDGE = `(${guestBridge})`
const LIMITS = `(${JSON.stringify(limits)})`
const LATE = JSON.stringify(late)

const nothing = (): void => undefined
const IDLE: GuestHost = { call: nothing, log: nothing, value: nothing, problem: nothing, failed: nothing }

type Bridge = Record<keyof ReturnType<typeof guestBridge>, QuickJSHandle>
type Inside = { context: QuickJSContext; bridge: Bridge; turn: Turn }

/** Before any code of the plugin: what the bridge needs of the built-ins it takes now. */
const openBridge = (context: QuickJSContext, current: () => GuestHost): Bridge => {
  const numberOf = (handle: QuickJSHandle | undefined) => (handle ? context.getNumber(handle) : 0)
  const textOf = (handle: QuickJSHandle | undefined) => (handle ? context.getString(handle) : '')
  const acts: { [K in keyof GuestHost]: (...args: QuickJSHandle[]) => void } = {
    call: (id, module, method, args) => current().call(numberOf(id), textOf(module), textOf(method), textOf(args)),
    log: (level, line) => current().log(textOf(level) as never, textOf(line)),
    value: (value) => current().value(value && context.typeof(value) === 'string' ? textOf(value) : undefined),
    problem: (status, message, details) => current().problem(numberOf(status), textOf(message), textOf(details)),
    failed: (reason) => current().failed(textOf(reason)),
  }
  const host = context.newObject()
  for (const [name, act] of Object.entries(acts))
    context.newFunction(name, act).consume((made) => context.setProp(host, name, made))
  const factory = context.unwrapResult(context.evalCode(BRIDGE, 'stoa'))
  const given = context.unwrapResult(context.evalCode(LIMITS))
  const args = [host, given, context.newString(LATE)]
  const bridge = context.unwrapResult(context.callFunction(factory, context.undefined, args))
  for (const handle of [factory, ...args]) handle.dispose()
  const take = (name: string) => context.getProp(bridge, name)
  const taken = { load: take('load'), invoke: take('invoke'), settle: take('settle'), explain: take('explain') }
  bridge.dispose()
  return taken
}

type Turn = { <R>(work: () => R): R; reset(): void; isOver(): boolean }

/** Lets the code work, and whatever promises it has to go on with, until it waits or its time is up. */
const turns = (runtime: QuickJSRuntime, { beat, cpuMs: limit }: ThreadData, isDone: () => boolean): Turn => {
  let left = limit
  let ends = 0
  let isOver = false
  runtime.setInterruptHandler(() => {
    Atomics.add(beat, 0, 1)
    isOver = isOver || cpuMs() > ends
    return isOver
  })
  const refuse = () => new GuestFailure(`The plugin used more than ${limit / 1_000} s of CPU time`)
  const turn = <R>(work: () => R): R => {
    if (isOver) throw refuse()
    const began = cpuMs()
    ends = began + left
    try {
      const result = work()
      while (!isOver && !isDone() && runtime.hasPendingJob()) {
        const ran = runtime.executePendingJobs(JOBS_AT_ONCE)
        ran.dispose()
        isOver = isOver || cpuMs() > ends
      }
      if (isOver) throw refuse()
      return result
    } catch (error) {
      if (isOver) throw refuse()
      throw error instanceof GuestFailure ? error : new EngineFailure(reasonOf(error), { cause: error })
    } finally {
      left -= cpuMs() - began
    }
  }
  return Object.assign(turn, {
    isOver: () => isOver,
    reset: () => {
      left = limit
    },
  })
}

/** Between two looks at the time, for jobs that are too short for the engine to look itself. */
const JOBS_AT_ONCE = 1_000

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Calls a function of the bridge and takes its text. */
const ask = (inside: Inside, name: keyof Bridge, ...args: QuickJSHandle[]): string => {
  const { context, bridge, turn } = inside
  const result = turn(() => context.callFunction(bridge[name], context.undefined, args))
  for (const arg of args) arg.dispose()
  if (result.error) throw name === 'explain' ? unknown(result.error) : failureOf(inside, result.error)
  return result.value.consume((value) => (context.typeof(value) === 'string' ? context.getString(value) : ''))
}

/** What was thrown, in the words of the bridge: to look at it may run code of the plugin. */
const failureOf = (inside: Inside, thrown: QuickJSHandle): GuestFailure =>
  new GuestFailure(ask(inside, 'explain', thrown) || 'Something was thrown')

const unknown = (thrown: QuickJSHandle): GuestFailure => {
  thrown.dispose()
  return new GuestFailure("Something was thrown that can't be shown")
}

/** Returns the module's exports. */
const evaluate = (inside: Inside, code: string, file: string): QuickJSHandle => {
  const { context, turn } = inside
  const result = turn(() => context.evalCode(code, file, { type: 'module' }))
  if (result.error) throw failureOf(inside, result.error)
  const state = context.getPromiseState(result.value)
  if (state.type === 'fulfilled' && state.notAPromise) return result.value
  result.value.dispose()
  if (state.type === 'rejected') throw failureOf(inside, state.error)
  if (state.type === 'fulfilled') return state.value
  throw new GuestFailure(`${file} waits at its top level for a promise that never settles`)
}

const NAMES = [
  'content',
  'media',
  'taxonomies',
  'menus',
  'settings',
  'store',
  'social',
  'http',
  'crypto',
  'log',
  'clock',
  'Problem',
]

/** The one module that can be imported. It is evaluated before the plugin's code, which could change the global. */
const STOA_MODULE = `const { stoa } = globalThis
export const { ${NAMES.join(', ')} } = stoa
export { stoa, stoa as default }`
