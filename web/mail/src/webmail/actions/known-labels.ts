import type { Label, LabelInput } from '@stoa/mail-model/labels.ts'
import type { List } from '@stoa/mail-model/list.ts'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { sendMailbox } from '../api.ts'
import { labelsQuery } from '../queries.ts'
import { labelsOf } from './labels.ts'

/** Counting them takes long: that another row shows one is no reason to ask again. */
const KNOWN = { refetchOnMount: false } as const

/** The labels of this mailbox, by what they are called. */
export const useLabels = ({ enabled = true }: { enabled?: boolean } = {}): readonly Label[] => {
  const { data } = useQuery({ ...labelsQuery, ...KNOWN, enabled })
  return useMemo(() => ownLabels(data), [data])
}

const ownLabels = (list: List<Label> | undefined): readonly Label[] =>
  (list?.data ?? [])
    .filter(({ name }) => labelsOf([name]).length > 0)
    .toSorted((a, b) => a.display_name.localeCompare(b.display_name))

/** How a label is shown; an unknown one by its name. */
export const useLabelLook = (name: string): Pick<Label, 'display_name' | 'color'> => {
  const { data } = useQuery({
    ...labelsQuery,
    ...KNOWN,
    select: ({ data: labels }) => labels.find((label) => label.name === name),
  })
  return data ?? { display_name: name, color: null }
}

const pathOf = (name: string): string => `/api/mail/labels/${encodeURIComponent(name)}`

/** Says how a label is shown; it is offered from now on, also when no message has it. */
export const saveLabel = async (queryClient: QueryClient, name: string, look: LabelInput): Promise<Label> => {
  const saved = await sendMailbox<Label>('PUT', pathOf(name), { body: look })
  changeLabels(queryClient, (labels) => [...labels.filter((label) => label.name !== name), saved])
  return saved
}

/** Forgets a label that no message has any more. */
export const forgetLabel = async (queryClient: QueryClient, name: string): Promise<void> => {
  await sendMailbox('DELETE', pathOf(name))
  changeLabels(queryClient, (labels) => labels.filter((label) => label.name !== name))
}

const changeLabels = (queryClient: QueryClient, change: (labels: readonly Label[]) => Label[]): void => {
  queryClient.setQueryData(labelsQuery.queryKey, (list) => list && { ...list, data: change(list.data) })
}
