import { readActions } from './read-actions.ts'
import { readCondition } from './read-condition.ts'
import { type Rule, tidyRules } from './rules.ts'
import { type Command, readTree, type Test, TreeProblem } from './sieve-tree.ts'
import { EXTENSIONS } from './write-sieve.ts'

/** The rules that a script is, or why it can only be edited as text. */
export type Reading = { rules: Rule[]; problem: null } | { rules: null; problem: string }

/** Reads what `writeSieve` writes, and scripts of other hands that say no more than rules can. */
export const readSieve = (script: string): Reading => {
  if (script.length > MAX_LENGTH) return { rules: null, problem: 'it is very long' }
  try {
    return { rules: tidyRules(readRules(readTree(script))), problem: null }
  } catch (error) {
    if (error instanceof TreeProblem) return { rules: null, problem: error.message }
    throw error
  }
}

/** The service takes no longer ones. */
const MAX_LENGTH = 65_536

const readRules = (commands: readonly Command[]): Rule[] => {
  const rules: Rule[] = []
  let loose: Command[] = []
  const endLoose = () => {
    if (loose.length > 0) rules.push(ruleOf(loose[0], { match: 'all', conditions: [] }, loose))
    loose = []
  }
  for (const command of commands.slice(readRequires(commands))) {
    if (command.name === 'elsif' || command.name === 'else')
      throw new TreeProblem("it uses “else”, which rules don't support")
    if (command.name !== 'if') {
      if (command.comments.length > 0) endLoose()
      loose.push(command)
      continue
    }
    endLoose()
    rules.push(ruleOf(command, readConditions(command), command.block ?? []))
  }
  endLoose()
  return rules
}

/** How many commands at the start only name extensions. */
const readRequires = (commands: readonly Command[]): number => {
  const first = commands.findIndex(({ name }) => name !== 'require')
  const requires = first === -1 ? commands : commands.slice(0, first)
  for (const { arguments: given, comments } of requires) {
    if (comments.length > 0) throw new TreeProblem("it has comments that rules can't keep")
    const names = given.flatMap((argument) => (argument.kind === 'texts' ? argument.texts : []))
    const foreign = names.find((name) => !READABLE.has(name))
    if (foreign !== undefined) throw new TreeProblem(`it uses the extension “${foreign}”`)
  }
  return requires.length
}

/** These change nothing that rules say. */
const READABLE = new Set<string>([
  ...EXTENSIONS,
  'spamtest',
  'envelope',
  'comparator-i;octet',
  'comparator-i;ascii-casemap',
])

const ruleOf = (
  first: Command | undefined,
  conditions: Pick<Rule, 'match' | 'conditions'>,
  block: readonly Command[],
): Rule => ({ name: (first?.comments ?? []).join(' '), ...conditions, actions: readActions(block, first) })

const readConditions = ({ arguments: given, tests, block }: Command): Pick<Rule, 'match' | 'conditions'> => {
  const [test] = tests
  if (!test || tests.length !== 1 || given.length > 0 || !block) throw new TreeProblem('it has an error')
  if (isNamed(test, 'true')) return { match: 'all', conditions: [] }
  if (!isNamed(test, 'allof') && !isNamed(test, 'anyof')) return { match: 'all', conditions: [readCondition(test)] }
  return { match: test.name === 'anyof' ? 'any' : 'all', conditions: test.tests.map(readCondition) }
}

const isNamed = (test: Test, name: string): boolean => test.name === name && test.arguments.length === 0
