import { constants, hasTag, isMade, text, texts } from '../arguments.ts'
import { compileScript } from '../compile.ts'
import type { Call, SieveScript } from '../compiled.ts'
import { defineExtension, type Flow } from '../define.ts'
import { problemText, quoted, SieveRuntimeError } from '../problems.ts'
import { startRun } from '../run.ts'
import { chainState, type Run } from '../run-state.ts'
import { hasOwnVariable, linkVariable, setWithin, variableNameProblem } from '../variables.ts'
import { noteGlobal } from './variables.ts'

type Included = {
  /** Scripts that are running now, from the outside in. */
  readonly open: string[]
  readonly done: Set<string>
  readonly compiled: Map<string, SieveScript>
  count: number
}

const included = chainState((): Included => ({ open: [], done: new Set(), compiled: new Map(), count: 0 }))
const globals = chainState((): Map<string, string> => new Map())

/** RFC 6609. */
export const include = defineExtension({
  name: 'include',
  commands: {
    include: {
      positional: ['string'],
      tags: { personal: { oneOf: 'location' }, global: { oneOf: 'location' }, once: {}, optional: {} },
      check: (call) => (isMade(call.values[0]) ? "the script name can't contain variables" : null),
      run: includeScript,
    },
    return: { run: () => ({ kind: 'return' }) },
    global: {
      positional: ['strings'],
      check: (call, scope) => {
        if (!scope.hasExtension('variables')) return '"global" requires the extension "variables"'
        if (isMade(call.values[0])) return "the variable name can't contain variables"
        return (
          constants(call, 0)
            .map((name) => variableNameProblem(name) ?? localProblem(name, !noteGlobal(scope.notes, name)))
            .find((problem) => problem !== null) ?? null
        )
      },
      run: (call, run) => {
        for (const name of texts(call, 0, run)) {
          const problem = localProblem(name, hasOwnVariable(run, name))
          if (problem) throw new SieveRuntimeError(problem)
          linkVariable(run, name, `global.${name}`)
        }
        return undefined
      },
    },
  },
  namespaces: {
    global: {
      read: (name, run) => globals(run).get(name) ?? '',
      write: (name, value, run) => setWithin(run, globals(run), name, value),
    },
  },
})

/** RFC 6609 §3.4.1: what the script has set already cannot become global. */
const localProblem = (name: string, isSet: boolean): string | null => {
  if (name.includes('.')) return `${quoted(name)} can't be the name of a global variable, because it contains a dot`
  return isSet ? `variable ${quoted(name)} is set before "global"` : null
}

async function includeScript(call: Call, run: Run): Promise<Flow | undefined> {
  const name = text(call, 0, run)
  const location = hasTag(call, 'global') ? 'global' : 'personal'
  const key = `${location} ${name}`
  const state = included(run)
  if (hasTag(call, 'once') && state.done.has(key)) return undefined
  checkBounds(state, key, name, run)
  const script = state.compiled.get(key) ?? (await load(location, name, run))
  if (!script && hasTag(call, 'optional')) return undefined
  if (!script) throw new SieveRuntimeError(`the script ${quoted(name)} to include doesn't exist`)
  state.compiled.set(key, script)
  state.done.add(key)
  state.open.push(key)
  try {
    const flow = await startRun(run.chain, script).block(script.commands)
    return flow?.kind === 'stop' ? flow : undefined
  } catch (error) {
    // The place that a person can look at is in the script that was started.
    if (error instanceof SieveRuntimeError) throw new SieveRuntimeError(`in script ${quoted(name)}: ${error.message}`)
    throw error
  } finally {
    state.open.pop()
  }
}

const checkBounds = (state: Included, key: string, name: string, run: Run): void => {
  state.count += 1
  if (state.open.includes(key)) throw new SieveRuntimeError(`script ${quoted(name)} includes itself`)
  if (state.open.length >= run.limits.includeDepth)
    throw new SieveRuntimeError('included scripts are nested too deeply')
  if (state.count > run.limits.includes)
    throw new SieveRuntimeError(`more than ${run.limits.includes} scripts are included`)
}

const load = async (location: 'personal' | 'global', name: string, run: Run): Promise<SieveScript | null> => {
  const source = await run.chain.environment.script?.(location, name)
  if (source === null || source === undefined) return null
  run.spend(100 + source.length / 2)
  const { script, problems } = compileScript(source, run.script.language, { limits: run.limits })
  if (script) return script
  throw new SieveRuntimeError(`script ${quoted(name)}: ${problems.map(problemText)[0] ?? ''}`)
}
