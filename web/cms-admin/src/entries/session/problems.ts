import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { Problem } from '@stoa/cms-model/fields/define.ts'
import { labelOf } from './labels.ts'
import { dataMember, fieldKeyOf, type Member } from './values.ts'

const ownMembers: ReadonlySet<string> = new Set(['title', 'slug'])

/** The members that a problem of the service is about. A field may have the key `title`, too: then it is of both. */
export const membersWith = ({ fields }: Pick<ContentType, 'fields'>, key: string): Member[] => {
  const first = key.split('.')[0] ?? ''
  const field = fields.some((candidate) => candidate.key === first) ? [dataMember(first)] : []
  return ownMembers.has(key) ? [key, ...field] : field
}

/** Those at an input of the form, in its order, and what is left to be said above it. */
export const sortProblems = (type: Pick<ContentType, 'fields'>, problems: readonly Problem[]) => {
  const order = ['title', 'slug', ...type.fields.map(({ key }) => dataMember(key))]
  const place = ({ key }: Problem) => order.indexOf(membersWith(type, key)[0] ?? '')
  return {
    placed: problems.filter((problem) => place(problem) >= 0).toSorted((a, b) => place(a) - place(b)),
    homeless: problems.filter((problem) => place(problem) < 0),
  }
}

/** The problems without those of a member that was just changed. */
export const withoutMember = (problems: readonly Problem[], member: Member): readonly Problem[] => {
  const key = fieldKeyOf(member) ?? member
  const rest = problems.filter((problem) => problem.key !== key && !problem.key.startsWith(`${key}.`))
  return rest.length === problems.length ? problems : rest
}

/** Where a problem is, for people: "Gallery › 3 › Caption". Rows count from one. */
export const whereOf = (type: Pick<ContentType, 'fields'>, { key }: Problem): string => {
  const [first = '', ...rest] = key.split('.')
  const member = ownMembers.has(key) ? key : dataMember(first)
  let fields = type.fields.find((field) => field.key === first)
  const names = rest.map((part) => {
    if (/^\d+$/.test(part)) return String(Number(part) + 1)
    const inner = fields && 'fields' in fields ? fields.fields.find((field) => field.key === part) : undefined
    fields = inner
    return inner?.label ?? part
  })
  return [labelOf(type, member), ...names].join(' › ')
}
