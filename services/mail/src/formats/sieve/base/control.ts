import { constants, isMade } from '../arguments.ts'
import type { Call } from '../compiled.ts'
import type { BranchFlow, CommandDefinition } from '../define.ts'
import { quoted } from '../problems.ts'
import type { Run } from '../run-state.ts'

/** RFC 5228 §3.1. */
export const ifBranch: CommandDefinition = {
  tests: 'one',
  block: true,
  branch: 'first',
  run: (call, run) => branch(call, run),
}
export const elsifBranch: CommandDefinition = {
  tests: 'one',
  block: true,
  branch: 'other',
  run: (call, run) => branch(call, run),
}
export const elseBranch: CommandDefinition = {
  block: true,
  branch: 'other',
  run: async (call, run) => ({ kind: 'branch', taken: true, after: await run.block(call.block) }),
}

const branch = async (call: Call, run: Run): Promise<BranchFlow> => {
  const [test] = call.tests
  const taken = test !== undefined && (test.constant ?? (await run.test(test)))
  return { kind: 'branch', taken, after: taken ? await run.block(call.block) : undefined }
}

/** RFC 5228 §3.2. */
export const require: CommandDefinition = {
  positional: ['strings'],
  opens: true,
  check: (call, scope) => {
    if (isMade(call.values[0])) return "the extension name can't contain variables"
    const names = constants(call, 0)
    const missing = names.filter((name) => !scope.isAvailable(name))
    for (const name of names) scope.enable(name)
    if (missing.length === 0) return null
    return `${missing.map(quoted).join(', ')} ${missing.length > 1 ? "aren't available extensions" : "isn't an available extension"} here`
  },
  run: () => undefined,
}

/** RFC 5228 §3.3. */
export const stop: CommandDefinition = { run: () => ({ kind: 'stop' }) }
