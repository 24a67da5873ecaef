import { constants, isMade, keys, tagTexts, texts } from '../arguments.ts'
import type { Call } from '../compiled.ts'
import { type CheckScope, defineExtension, type TagDefinition } from '../define.ts'
import { filingTag } from '../filing.ts'
import { readFlags, withoutFlags } from '../flags.ts'
import { matchValues } from '../match/match.ts'
import { chainState, type Run } from '../run-state.ts'
import { readVariable, variableNameProblem, writeVariable } from '../variables.ts'

/**
 * RFC 5232 §2: the variable without a name, which the flags of a message come from unless the script says. Null until a
 * script gives it a value; an empty one says that there are no flags.
 */
const internal = chainState((): { flags: string[] | null } => ({ flags: null }))

type Change = (before: readonly string[], flags: readonly string[]) => string[]

const changes: Readonly<Record<'setflag' | 'addflag' | 'removeflag', Change>> = {
  setflag: (_before, flags) => [...flags],
  addflag: (before, flags) => readFlags([...before, ...flags]),
  removeflag: (before, flags) => withoutFlags(before, flags),
}

const flagCommand = (change: Change) => ({
  positional: ['string', 'strings'] as const,
  firstIsOptional: true,
  check: (call: Call, scope: CheckScope) => variableProblem(call, scope),
  run: (call: Call, run: Run) => {
    const [name] = texts(call, 0, run)
    const flags = readFlags(texts(call, 1, run))
    if (name === undefined) internal(run).flags = change(internal(run).flags ?? [], flags)
    else writeVariable(run, name, change(readFlags([readVariable(run, name)]), flags).join(' '))
    return undefined
  },
})

const keepFlags: TagDefinition = {
  value: 'strings',
  apply: (action, call, run) => {
    if (action.kind === 'keep') action.flags = readFlags(tagTexts(call, 'flags', run))
  },
}

/** RFC 5232. */
export const imap4flags = defineExtension({
  name: 'imap4flags',
  commands: {
    setflag: flagCommand(changes.setflag),
    addflag: flagCommand(changes.addflag),
    removeflag: flagCommand(changes.removeflag),
  },
  tests: {
    hasflag: {
      positional: ['strings', 'strings'],
      firstIsOptional: true,
      matches: true,
      check: variableProblem,
      test: (call, run) => {
        const wanted = keys(call, run).flatMap((key) => key.split(/\s+/).filter((word) => word !== ''))
        return matchValues(call, flagsOf(call, run), wanted, run)
      },
    },
  },
  tags: {
    keep: { flags: keepFlags },
    ...filingTag('flags', { value: 'strings' }, (filing, call, run) => {
      filing.flags = readFlags(tagTexts(call, 'flags', run))
    }),
  },
  prepare: (action, run) => {
    const { flags } = internal(run)
    if (flags && (action.kind === 'keep' || action.kind === 'fileinto')) action.flags ??= [...flags]
  },
})

const flagsOf = (call: Call, run: Run): string[] => {
  if (!call.values[0]) return internal(run).flags ?? []
  return texts(call, 0, run).flatMap((name) => readFlags([readVariable(run, name)]))
}

function variableProblem(call: Call, scope: CheckScope): string | null {
  if (!call.values[0]) return null
  if (!scope.hasExtension('variables')) return `flags in a variable require the extension "variables"`
  if (isMade(call.values[0])) return "the variable name can't contain variables"
  return (
    constants(call, 0)
      .map(variableNameProblem)
      .find((problem) => problem !== null) ?? null
  )
}
