import { type DesignManifest, designManifest } from '@stoa/cms-model/design.ts'
import { isPositional } from '@stoa/cms-model/selectors.ts'
import { type VisualDefinitions, visualDefinitions } from '@stoa/cms-model/visual.ts'
import { type WebsiteManifest, websiteManifest } from '@stoa/cms-model/website.ts'
import { compile } from 'css-select'
import { z } from 'zod'
import { CmsOptionsError, type OptionProblem } from './options-error.ts'
import { adminBaseProblem } from './paths.ts'
import type { CmsOptions } from './types.ts'

const DEFAULT_ADMIN_BASE = '/admin'

/** What is absent stays as an earlier start of a host left it; null erases it. */
export type HostOptions = {
  visual?: VisualDefinitions
  website?: WebsiteManifest | null
  design?: DesignManifest | null
}

/** Options that are right, with what was left out filled in. */
export type CheckedOptions = {
  adminBase: string
  host: HostOptions
  env: CmsOptions['env']
  workers: boolean
  /** What works, and may not work as it was meant. */
  warnings: OptionProblem[]
}

const KNOWN: readonly string[] = [
  'adminBase',
  'visual',
  'website',
  'design',
  'env',
  'workers',
] satisfies (keyof CmsOptions)[]

/** Throws CmsOptionsError unless the options are right: a host in JavaScript has no type checker. */
export const checkOptions = (options: CmsOptions): CheckedOptions => {
  if (!isObject(options)) throw new CmsOptionsError([{ path: 'options', problem: 'must be an object' }])
  const { adminBase = DEFAULT_ADMIN_BASE, env, workers = true } = options
  const visual = visualDefinitions.optional().safeParse(options.visual)
  const website = erasable(websiteManifest).safeParse(options.website)
  const design = erasable(designManifest).safeParse(options.design)
  const problems = [
    ...Object.keys(options)
      .filter((name) => !KNOWN.includes(name))
      .map((name) => ({ path: name, problem: `is unknown. The options are ${KNOWN.join(', ')}` })),
    ...problemOf(
      'adminBase',
      typeof adminBase === 'string' ? adminBaseProblem(adminBase) : 'must be a path like "/admin"',
    ),
    ...(visual.error?.issues ?? []).flatMap((issue) => problemsOf(issue, 'visual')),
    ...(website.error?.issues ?? []).flatMap((issue) => problemsOf(issue, 'website')),
    ...(design.error?.issues ?? []).flatMap((issue) => problemsOf(issue, 'design')),
    ...selectorProblems(visual.data ?? {}, website.data ?? null, design.data ?? null),
    ...problemOf(
      'env',
      env === undefined || isObject(env) ? null : 'must be an object of environment variables with text values',
    ),
    ...problemOf('workers', typeof workers === 'boolean' ? null : 'must be true or false'),
  ]
  if (problems.length > 0) throw new CmsOptionsError(problems)
  const host: HostOptions = {
    ...(visual.data !== undefined && { visual: visual.data }),
    ...(website.data !== undefined && { website: website.data }),
    ...(design.data !== undefined && { design: design.data }),
  }
  return { adminBase, host, env, workers, warnings: fieldWarnings(host.visual ?? {}) }
}

/** An empty object takes back what an earlier start declared. */
const erasable = <S extends z.ZodType>(schema: S) =>
  z.preprocess((given) => (isEmpty(given) ? null : given), schema.nullable().optional())

const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value as object).length === 0

/** Read by the very library that looks for the elements later. */
const selectorProblems = (
  visual: VisualDefinitions,
  website: WebsiteManifest | null,
  design: DesignManifest | null,
): OptionProblem[] => {
  const declared: [string, string][] = [
    ...Object.entries(visual).flatMap(([type, { sections, fields }]): [string, string][] => [
      ...sections.map(({ selector }, index): [string, string] => [
        `${member('visual', type)}.sections[${index}].selector`,
        selector,
      ]),
      ...Object.entries(fields).map(([key, selector]): [string, string] => [
        member(`${member('visual', type)}.fields`, key),
        selector,
      ]),
    ]),
    ...(website?.parts ?? []).map(({ selector }, index): [string, string] => [
      `website.parts[${index}].selector`,
      selector,
    ]),
    ...(design?.surfaces ?? []).map(({ selector }, index): [string, string] => [
      `design.surfaces[${index}].selector`,
      selector,
    ]),
  ]
  return declared.flatMap(([path, selector]) => problemOf(path, compileProblem(selector)))
}

/** Sections move: what is counted among its siblings may then be another element. */
const fieldWarnings = (visual: VisualDefinitions): OptionProblem[] =>
  Object.entries(visual).flatMap(([type, { fields }]) =>
    Object.entries(fields)
      .filter(([, selector]) => isPositional(selector))
      .map(([key]) => ({
        path: member(`${member('visual', type)}.fields`, key),
        problem:
          'depends on the position and may match another element after a section was moved; use a class or an id',
      })),
  )

const compileProblem = (selector: string): string | null => {
  try {
    compile(selector)
    return null
  } catch (error) {
    return `can't be used as a selector: ${error instanceof Error ? error.message : String(error)}`
  }
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

const problemOf = (path: string, problem: string | null): OptionProblem[] =>
  problem === null ? [] : [{ path, problem }]

type Issue = NonNullable<ReturnType<typeof websiteManifest.safeParse>['error']>['issues'][number]

const problemsOf = (issue: Issue, option: string): OptionProblem[] => {
  const path = pathText(option, issue.path)
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: member(path, key), problem: 'is unknown; check its name or remove it' }))
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => ({ path, problem: `its name ${message}` }))
  return [{ path, problem: messageOf(issue) }]
}

/** Messages of our own begin small and say what to do; those of the library say what it found. */
const messageOf = (issue: Issue): string => {
  if (issue.code !== 'invalid_type' || /^[a-z]/.test(issue.message)) return issue.message
  const name = NAMES[issue.expected] ?? issue.expected
  return issue.message.endsWith('undefined') ? `is missing; it must be ${name}` : `must be ${name}`
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
