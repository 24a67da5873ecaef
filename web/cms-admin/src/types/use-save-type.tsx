import type { ContentType, ContentTypeInput } from '@stoa/cms-model/content-types.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { changedMembers } from '@stoa/ui/form/changed-members.ts'
import { messageOf, ProblemError } from '@stoa/ui/request/problem.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useVersionedSave } from '../conflict.tsx'
import { listEntries } from '../entries/queries.ts'
import { viewOf } from '../fields/index.ts'
import { describeChanges, needsReview } from './change-words.ts'
import type { ReadType } from './draft-input.ts'
import { readType, tryUpdateType, typeQuery, typesQuery, updateType } from './queries.ts'
import { useReview } from './review-dialog.tsx'
import { isTooManyForSingle, readSharedValues, type SharedValue } from './type-in-use.ts'

type SaveType = {
  /** The record to go on with, or undefined when the person would rather not save. */
  save: (read: ReadType) => Promise<ContentType | undefined>
  /** Values that kept a field from becoming unique, the last time. */
  shared: readonly SharedValue[]
  dialogs: ReactNode
}

/** Saves a type after it was shown what that does to the entries there are. */
export const useSaveType = (seen: ContentType, onSeen: (type: ContentType) => void): SaveType => {
  const queryClient = useQueryClient()
  const versioned = useVersionedSave(`the type “${seen.label}”`)
  const review = useReview(seen.label)
  const [shared, setShared] = useState<readonly SharedValue[]>([])
  const save: SaveType['save'] = async ({ input, renames }) => {
    setShared([])
    const { name: _, ...members } = input
    const isRenamed = Object.keys(renames).length > 0
    const changes = { ...changedMembers(members, membersOf(seen)), ...(isRenamed && { renames }) }
    const blame = (error: unknown): never => {
      setShared(readSharedValues(error) ?? [])
      throw blamed(error, input)
    }
    const lines = await tryUpdateType(seen.name, changes)
      .then((trial) => describeChanges(seen, input, trial, viewOf))
      .catch(blame)
    if (needsReview(lines) && (await hasEntries(seen.name)) && !(await review.ask(lines))) return undefined
    const { record, saved } = await versioned.save({
      version: seen.version,
      write: (version) => updateType(seen.name, changes, version).catch(blame),
      read: () => readType(seen.name),
    })
    queryClient.setQueryData(typeQuery(record.name).queryKey, record)
    void queryClient.invalidateQueries(typesQuery)
    onSeen(record)
    if (saved) toast({ tone: 'success', title: `“${record.label}” saved` })
    return record
  }
  return {
    save,
    shared,
    dialogs: (
      <>
        {review.dialog}
        {versioned.dialog}
      </>
    ),
  }
}

const membersOf = ({ label, labelPlural, description, icon, kind, previewUrl, fields }: ContentType) => ({
  label,
  labelPlural,
  description,
  icon,
  kind,
  previewUrl,
  fields,
})

const hasEntries = async (type: string): Promise<boolean> => (await listEntries({ type, limit: 1 })).meta.total > 0

/** The refusal at the input that it is about. */
const blamed = (error: unknown, { fields }: ContentTypeInput): unknown => {
  if (isTooManyForSingle(error)) return new ProblemError(messageOf(error), [{ key: 'kind', message: messageOf(error) }])
  const keys = new Set((readSharedValues(error) ?? []).map(({ key }) => key))
  const problems = fields.flatMap(({ key }, index) =>
    keys.has(key) ? [{ key: `fields.${index}.unique`, message: 'Some entries share a value. Change them first.' }] : [],
  )
  return problems.length > 0 ? new ProblemError(messageOf(error), problems) : error
}
