import type { Filter } from '@stoa/mail-model/filters.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { entitlementQuery } from '../billing/queries.ts'
import { deleteFilter, FILTERS, filterQuery } from './queries.ts'

type DeleteFilterProps = { filter: Filter | undefined; onClose: () => void; onDeleted?: () => void }

/** Asks before a filter is gone. */
export const DeleteFilter = ({ filter, onClose, onDeleted }: DeleteFilterProps) => {
  const queryClient = useQueryClient()
  if (!filter) return null
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete the filter “${filter.name}”?`}
      consequence="New mail won't be filtered by it. Mail it has already moved stays where it is. This can't be undone. To pause the filter, turn it off instead."
      confirmLabel="Delete filter"
      onConfirm={async () => {
        await deleteFilter(filter.id)
        onDeleted?.()
        queryClient.removeQueries(filterQuery(filter.id))
        void queryClient.invalidateQueries({ queryKey: [...FILTERS, 'list'] })
        void queryClient.invalidateQueries(entitlementQuery)
        toast({ tone: 'success', title: `${filter.name} deleted` })
      }}
    />
  )
}
