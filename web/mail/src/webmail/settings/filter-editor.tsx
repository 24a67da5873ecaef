import type { Filter } from '@stoa/mail-model/filters.ts'
import { Button } from '@stoa/ui/button.tsx'
import { ConfirmDialog } from '@stoa/ui/confirm-dialog.tsx'
import { hasUnsavedChanges } from '@stoa/ui/leave-guard.ts'
import { toast } from '@stoa/ui/toast-store.ts'
import { useUrlState } from '@stoa/ui/url-state.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { FilterForm } from '../../filters/filter-form.tsx'
import { foldersQuery } from '../queries.ts'
import { mailboxFilterApi, mailboxFiltersQuery } from './queries.ts'

/** One filter of the mailbox, or a new one. */
export const FilterEditor = ({ filter }: { filter: Filter | undefined }) => {
  const url = useUrlState()
  const queryClient = useQueryClient()
  const { data: folders } = useQuery(foldersQuery)
  const [asking, setAsking] = useState(false)
  const close = () => url.set({ filter: '', new: '' })
  return (
    <>
      <div>
        <Button
          size="sm"
          variant="ghost"
          icon={<ArrowLeft />}
          onClick={() => (hasUnsavedChanges() ? setAsking(true) : close())}
        >
          All filters
        </Button>
      </div>
      <FilterForm
        api={mailboxFilterApi}
        filter={filter}
        folders={folders?.data.map(({ path }) => path) ?? []}
        onSaved={(saved) => {
          void queryClient.invalidateQueries(mailboxFiltersQuery)
          toast({ tone: 'success', title: `The filter “${saved.name}” is saved` })
          close()
        }}
      />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Leave without saving?"
        consequence="What you changed in this filter is lost."
        confirmLabel="Leave"
        onConfirm={close}
      />
    </>
  )
}
