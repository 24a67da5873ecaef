import type { Call } from '../compiled.ts'
import type { TestDefinition } from '../define.ts'
import type { Run } from '../run-state.ts'

/** RFC 5228 §5.2, §5.3. Tests after the one that decides are not run. */
export const allOf: TestDefinition = {
  tests: 'list',
  decidedBy: false,
  constant: (call) => constantUnless(call, false),
  test: async (call, run) => !(await hasAnswer(call, run, false)),
}

export const anyOf: TestDefinition = {
  tests: 'list',
  decidedBy: true,
  constant: (call) => constantUnless(call, true),
  test: (call, run) => hasAnswer(call, run, true),
}

export const not: TestDefinition = {
  tests: 'one',
  constant: ({ tests: [test] }) => (typeof test?.constant === 'boolean' ? !test.constant : null),
  test: async ({ tests: [test] }, run) => test !== undefined && !(await run.test(test)),
}

export const isTrue: TestDefinition = { test: () => true }
export const isFalse: TestDefinition = { test: () => false }

const hasAnswer = async (call: Call, run: Run, answer: boolean): Promise<boolean> => {
  for (const test of call.tests) if ((await run.test(test)) === answer) return true
  return false
}

const constantUnless = ({ tests }: Call, decider: boolean): boolean | null => {
  if (tests.some(({ constant }) => constant === decider)) return decider
  return tests.every(({ constant }) => constant === !decider) ? !decider : null
}
