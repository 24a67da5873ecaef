import type { Filter } from '@stoa/mail-model/filters.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { useLeaveQuestion } from '@stoa/ui/navigation/leave-question.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { FilterForm } from '../../filters/filter-form.tsx'
import { foldersQuery } from '../queries.ts'
import { mailboxFilterApi, mailboxFiltersQuery } from './queries.ts'

/** One filter of the mailbox, or a new one. */
export const FilterEditor = ({ filter }: { filter: Filter | undefined }) => {
  const url = useUrlState()
  const queryClient = useQueryClient()
  const { data: folders } = useQuery(foldersQuery)
  const question = useLeaveQuestion('in this filter')
  const close = () => url.set({ filter: '', new: '' })
  return (
    <>
      <div>
        <Button size="sm" variant="ghost" icon={<ArrowLeft />} onClick={() => question.run(close)}>
          All filters
        </Button>
      </div>
      <FilterForm
        api={mailboxFilterApi}
        filter={filter}
        folders={folders?.data.map(({ path }) => path) ?? []}
        onSaved={(saved) => {
          void queryClient.invalidateQueries(mailboxFiltersQuery)
          toast({ tone: 'success', title: `${saved.name} saved` })
          close()
        }}
      />
      {question.dialog}
    </>
  )
}
