import assert from 'node:assert/strict'
import type { SieveAction } from '../action-types.ts'
import { compileScript } from '../compile.ts'
import type { SieveScript } from '../compiled.ts'
import type { SieveEnvironment } from '../environment.ts'
import type { Language } from '../language.ts'
import { problemsText, problemText } from '../problems.ts'
import { type RunOptions, runScripts, type SieveResult } from '../run.ts'
import { standardExtensions, standardLanguage } from '../standard.ts'
import { messageOf } from './message.ts'

const MESSAGE = `From: "Ann, the sender" <ann+work@Example.org>
To: bob@example.com, Group: carol@example.com, dave@example.net;
Subject: Hello World
Date: Tue, 01 Apr 2003 09:06:31 -0500
X-Count: 5
X-Count: 12
Received: from a (b [1.2.3.4]) by c; Mon, 31 Mar 2003 23:00:00 +0000

The body of the message.
`

export const environmentOf = (message = MESSAGE, more: Partial<SieveEnvironment> = {}): SieveEnvironment => ({
  message: messageOf(message),
  envelope: { from: 'ann@example.org', to: 'bob+lists@example.com' },
  now: new Date('2026-11-15T10:00:00Z'),
  ...more,
})

/** Requires everything, so that a test shows only what it is about. */
export const withAll = (source: string): string => {
  const names = standardExtensions.map(({ name }) => JSON.stringify(name))
  return `require [${names.join(', ')}];\n${source}`
}

export const compiled = (source: string, language: Language = standardLanguage): SieveScript => {
  const { script, problems } = compileScript(source, language)
  assert.ok(script, problemsText(problems))
  return script
}

export type RunSetup = Partial<SieveEnvironment> & { readonly mail?: string; readonly options?: RunOptions }

/** Runs scripts that can use all extensions. */
export const runAll = (sources: string | readonly string[], setup: RunSetup = {}): Promise<SieveResult> => {
  const { mail, options, ...more } = setup
  const scripts = [sources].flat().map((source) => compiled(withAll(source)))
  return runScripts(scripts, environmentOf(mail, more), options)
}

/** The actions of a script that must not fail. */
export const actionsOf = async (source: string, setup: RunSetup = {}): Promise<readonly SieveAction[]> => {
  const { actions, error } = await runAll(source, setup)
  assert.equal(error && problemText(error), null)
  return actions
}

/** Asserts that a test of the language is true, or that it is false. */
export const assertTest = async (test: string, expected = true, setup: RunSetup = {}, before = ''): Promise<void> => {
  const actions = await actionsOf(`${before} if ${test} { discard; }`, setup)
  assert.equal(actions[0]?.kind === 'discard', expected, test)
}

/** The result of compiling, with everything required. */
export const problemOf = (source: string, language: Language = standardLanguage): string =>
  compileScript(source, language).problems.map(problemText).join('; ')
