import { type VisualDefinitions, visualDefinitions } from '@stoa/cms-model/visual.ts'
import { type WebsiteManifest, websiteManifest } from '@stoa/cms-model/website.ts'
import { CmsOptionsError, type OptionProblem } from './options-error.ts'
import { adminBaseProblem } from './paths.ts'
import type { CmsOptions } from './types.ts'

const DEFAULT_ADMIN_BASE = '/admin'

/** Options that are right, with what was left out filled in. */
export type CheckedOptions = {
  adminBase: string
  visual: VisualDefinitions
  website: WebsiteManifest | undefined
  env: CmsOptions['env']
  workers: boolean
}

const KNOWN: readonly string[] = ['adminBase', 'visual', 'website', 'env', 'workers'] satisfies (keyof CmsOptions)[]

/** Throws CmsOptionsError unless the options are right: a host in JavaScript has no type checker. */
export const checkOptions = (options: CmsOptions): CheckedOptions => {
  if (!isObject(options)) throw new CmsOptionsError([{ path: 'options', problem: 'must be an object' }])
  const { adminBase = DEFAULT_ADMIN_BASE, env, workers = true } = options
  const visual = visualDefinitions.safeParse(options.visual ?? {})
  const website = websiteManifest.optional().safeParse(options.website)
  const problems = [
    ...Object.keys(options)
      .filter((name) => !KNOWN.includes(name))
      .map((name) => ({ path: name, problem: `is not known. The options are ${KNOWN.join(', ')}` })),
    ...problemOf(
      'adminBase',
      typeof adminBase === 'string' ? adminBaseProblem(adminBase) : 'must be text like "/admin"',
    ),
    ...(visual.error?.issues ?? []).flatMap((issue) => problemsOf(issue, 'visual')),
    ...(website.error?.issues ?? []).flatMap((issue) => problemsOf(issue, 'website')),
    ...problemOf(
      'env',
      env === undefined || isObject(env) ? null : 'must be an object of variables: names and their texts',
    ),
    ...problemOf('workers', typeof workers === 'boolean' ? null : 'must be true or false'),
  ]
  if (problems.length > 0 || !visual.success || !website.success) throw new CmsOptionsError(problems)
  return { adminBase, visual: visual.data, website: website.data, env, workers }
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

const problemOf = (path: string, problem: string | null): OptionProblem[] =>
  problem === null ? [] : [{ path, problem }]

type Issue = NonNullable<ReturnType<typeof websiteManifest.safeParse>['error']>['issues'][number]

const problemsOf = (issue: Issue, option: string): OptionProblem[] => {
  const path = pathText(option, issue.path)
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: member(path, key), problem: 'is not known: check its name, or remove it' }))
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => ({ path, problem: `its name ${message}` }))
  return [{ path, problem: messageOf(issue) }]
}

/** Messages of our own begin small and say what to do; those of the library say what it found. */
const messageOf = (issue: Issue): string => {
  if (issue.code !== 'invalid_type' || /^[a-z]/.test(issue.message)) return issue.message
  const name = NAMES[issue.expected] ?? issue.expected
  return issue.message.endsWith('undefined') ? `is missing: it must be ${name}` : `must be ${name}`
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  boolean: 'true or false',
}

/** `visual.article.sections[0].selector`, as one would write it. */
const pathText = (option: string, path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : member(text, String(part))),
    option,
  )

const member = (text: string, key: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(key) ? `${text}.${key}` : `${text}[${JSON.stringify(key)}]`
