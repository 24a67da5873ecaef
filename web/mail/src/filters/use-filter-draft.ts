import type { Filter } from '@stoa/mail-model/filters.ts'
import { useState } from 'react'
import { type EditedRule, editedRule, newRule } from './edited-rules.ts'
import type { FilterDraft } from './filter-form.tsx'
import { readSieve } from './read-sieve.ts'
import { findProblems, type RuleProblems } from './rule-problems.ts'
import type { ScriptProblem } from './script-problems.ts'
import { ruleAtLine, writeSieve } from './write-sieve.ts'

type Mode = 'rules' | 'sieve'

/** Rules and the script that they stand for. The script is written anew only when a rule was changed. */
type Draft = { script: string; rules: readonly EditedRule[] | null; unreadable: string }

const readDraft = (script: string): Draft => {
  const { rules, problem } = readSieve(script)
  return { script, rules: rules?.map(editedRule) ?? null, unreadable: problem ?? '' }
}

const beginDraft = (filter: Filter | undefined, begin: FilterDraft | undefined): Draft => {
  if (filter) return readDraft(filter.script)
  if (begin && 'script' in begin) return readDraft(begin.script)
  const rules = (begin?.rules ?? [newRule()]).map(editedRule)
  return { script: writeSieve(rules), rules, unreadable: '' }
}

/** Edits one script as rules or as text, without loss when switching. */
export const useFilterDraft = (filter: Filter | undefined, begin: FilterDraft | undefined) => {
  const [draft, setDraft] = useState(() => beginDraft(filter, begin))
  const [initialScript] = useState(draft.script)
  const [mode, setMode] = useState<Mode>(draft.rules ? 'rules' : 'sieve')
  // Missing values are reported on saving, not while somebody still types
  const [wasChecked, setWasChecked] = useState(false)
  const found = wasChecked && draft.rules ? findProblems(draft.rules) : NO_PROBLEMS
  return {
    mode,
    rules: draft.rules,
    unreadable: draft.unreadable,
    initialScript,
    /** Changes to the other way of editing. */
    show: (next: Mode, script: string) => {
      if (next === 'rules' && script !== draft.script) setDraft(readDraft(script))
      setMode(next)
    },
    /** The script of changed rules. */
    write: (rules: readonly EditedRule[]): string => {
      const script = writeSieve(rules)
      setDraft({ script, rules, unreadable: '' })
      return script
    },
    /** The script may also change from outside, when changes are discarded. */
    follow: (script: string) => {
      if (mode === 'rules' && script !== draft.script) setDraft(readDraft(script))
    },
    /** The errors that prevent saving. */
    check: (script: string): { script?: string } => {
      if (mode === 'sieve') return script.trim() === '' ? { script: 'Enter a script.' } : {}
      setWasChecked(true)
      if (draft.rules?.length === 0) return { script: 'Add a rule.' }
      return Object.keys(findProblems(draft.rules ?? [])).length > 0 ? { script: 'Some rules are incomplete.' } : {}
    },
    /** Unfinished parts and the service's errors, by the rules that they are about. */
    problemsWith: (refused: readonly ScriptProblem[]): RuleProblems => {
      if (!draft.rules || refused.length === 0) return found
      const said: Record<string, string> = { ...found }
      for (const { line, message } of refused) {
        const rule = ruleAtLine(draft.rules, line)
        if (rule !== null) said[String(rule)] ??= `Invalid script: ${message}`
      }
      return said
    },
  }
}

const NO_PROBLEMS: RuleProblems = {}
