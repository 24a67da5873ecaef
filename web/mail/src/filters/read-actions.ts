import { type Action, MAX_DAYS, MIN_DAYS } from './rules.ts'
import { type Command, TreeProblem } from './sieve-tree.ts'

/** The commands of a rule as actions; only the first may have comments. Throws TreeProblem for what no action says. */
export const readActions = (block: readonly Command[], named: Command | undefined): Action[] => {
  const actions = block.flatMap((command) => readAction(command, command === named))
  const after = actions.findIndex((action) => action.do === 'stop')
  if (after !== -1 && after < actions.length - 1) throw new TreeProblem('it has commands after “stop”')
  checkMarks(actions)
  return actions
}

const isMark = (action: Action): boolean => ['seen', 'flag', 'label'].includes(action.do)

/** Rules mark first; a script that files before it marks means something else. */
const checkMarks = (actions: readonly Action[]): void => {
  const filed = actions.findIndex((action) => action.do === 'file' || action.do === 'keep')
  if (filed !== -1 && actions.slice(filed).some(isMark)) throw new TreeProblem('it marks messages after moving them')
}

const readAction = (command: Command, mayHaveComments: boolean): Action[] => {
  const { name, block, tests, comments } = command
  if (comments.length > 0 && !mayHaveComments) throw new TreeProblem("it has comments that rules can't keep")
  if (block || tests.length > 0) return unknown(command)
  if (name === 'addflag') return readFlags(command)
  if (name === 'fileinto') return [readFiling(command)]
  if (name === 'redirect') return [readRedirect(command)]
  if (name === 'vacation') return [readReply(command)]
  if (name === 'reject') return [{ do: 'reject', reason: readOne(command, []) }]
  if ((name === 'discard' || name === 'keep' || name === 'stop') && command.arguments.length === 0)
    return [{ do: name }]
  return unknown(command)
}

const unknown = ({ name }: Command): never => {
  throw new TreeProblem(`it uses “${name}” in a way rules don't support`)
}

const hasTag = ({ arguments: given }: Command, name: string): boolean =>
  given.some((argument) => argument.kind === 'tag' && argument.name === name)

/** The one text of a command that has no other tags than these. */
const readOne = (command: Command, tags: readonly string[]): string => {
  const { arguments: given } = command
  const last = given.at(-1)
  const rest = given.slice(0, -1)
  const isPlain = rest.every((argument) => argument.kind === 'tag' && tags.includes(argument.name))
  return isPlain && last?.kind === 'texts' && last.texts.length === 1 ? (last.texts[0] ?? '') : unknown(command)
}

const readFiling = (command: Command): Action => ({
  do: 'file',
  folder: readOne(command, ['create', 'copy']),
  create: hasTag(command, 'create'),
  copy: hasTag(command, 'copy'),
})

const readRedirect = (command: Command): Action => ({
  do: 'redirect',
  to: readOne(command, ['copy']),
  copy: hasTag(command, 'copy'),
})

const readFlags = (command: Command): Action[] => {
  const [flags] = command.arguments
  if (command.arguments.length !== 1 || flags?.kind !== 'texts') return unknown(command)
  return flags.texts.flatMap((text) => (text === '' ? [''] : text.split(/\s+/).filter(Boolean))).map(markOf(command))
}

const markOf =
  (command: Command) =>
  (flag: string): Action => {
    if (!flag.startsWith('\\')) return { do: 'label', label: flag }
    const known = flag.toLowerCase()
    if (known === '\\seen') return { do: 'seen' }
    return known === '\\flagged' ? { do: 'flag' } : unknown(command)
  }

/** The reply's own default, a week (RFC 5230 §4.1). */
const DEFAULT_DAYS = 7

const readReply = (command: Command): Action => {
  const given = [...command.arguments]
  const reply = { subject: '', text: '', days: DEFAULT_DAYS }
  while (given.length > 1) {
    const [tag, value] = given.splice(0, 2)
    if (tag?.kind !== 'tag') return unknown(command)
    if (tag.name === 'days' && value?.kind === 'number') reply.days = value.value
    else if (tag.name === 'subject' && value?.kind === 'texts' && value.texts.length === 1)
      reply.subject = value.texts[0] ?? ''
    else return unknown(command)
  }
  const [text] = given
  if (text?.kind !== 'texts' || text.texts.length !== 1) return unknown(command)
  if (reply.days < MIN_DAYS || reply.days > MAX_DAYS) return unknown(command)
  return { do: 'reply', ...reply, text: text.texts[0] ?? '' }
}
