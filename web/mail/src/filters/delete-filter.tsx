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
      consequence="Mail that arrives from now on is no longer looked at by it. What it has filed stays where it is. It cannot be undone; switched off it would only rest."
      confirmLabel="Delete filter"
      onConfirm={async () => {
        await deleteFilter(filter.id)
        onDeleted?.()
        queryClient.removeQueries(filterQuery(filter.id))
        void queryClient.invalidateQueries({ queryKey: [...FILTERS, 'list'] })
        void queryClient.invalidateQueries(entitlementQuery)
        toast({ tone: 'success', title: `“${filter.name}” is deleted` })
      }}
    />
  )
}
