import { IconButton } from '@stoa/ui/button/button.tsx'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { Menu, MenuItem } from '@stoa/ui/layer/menu.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { forgetLabel } from '../acts/known-labels.ts'
import { useMessageActs } from '../acts/use-message-acts.ts'
import { placeOfLabel } from '../places.ts'
import { messagesQuery } from '../queries.ts'
import { LabelDot } from './label-chip.tsx'
import { PlaceLink } from './place-link.tsx'

type LabelRowProps = { label: string; isCurrent: boolean; onGo: (() => void) | undefined; onDeleted: () => void }

/** A label in the navigation. */
export const LabelRow = ({ label, isCurrent, onGo, onDeleted }: LabelRowProps) => {
  const [asking, setAsking] = useState(false)
  const remove = useRemoveLabel()
  return (
    <>
      <PlaceLink
        place={placeOfLabel(label)}
        icon={<LabelDot label={label} />}
        label={label}
        count={0}
        isCurrent={isCurrent}
        onGo={onGo}
        drop={{ kind: 'label', label }}
        after={
          <span className="absolute top-1/2 right-0.5 -translate-y-1/2 opacity-0 transition-opacity focus-within:opacity-100 group-hover/place:opacity-100 has-data-[state=open]:opacity-100 touch:opacity-100">
            <Menu align="start" trigger={<IconButton size="sm" label={`Actions for ${label}`} icon={<Ellipsis />} />}>
              <MenuItem icon={<Trash2 />} danger onSelect={() => setAsking(true)}>
                Delete label…
              </MenuItem>
            </Menu>
          </span>
        }
      />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Delete the label “${label}”?`}
        consequence="It's removed from all messages. The messages stay where they are."
        confirmLabel="Delete label"
        onConfirm={async () => {
          await remove(label)
          onDeleted()
        }}
      />
    </>
  )
}

const useRemoveLabel = () => {
  const queryClient = useQueryClient()
  const acts = useMessageActs()
  return async (label: string) => {
    const query = { search: `label:${label}` }
    const { total } = await queryClient.fetchQuery({ ...messagesQuery(query, 1), staleTime: 0 })
    await acts.label({ query, total }, { remove: [label] })
    forgetLabel(queryClient, label)
    // Lists of before would bring it back
    queryClient.removeQueries({ queryKey: ['webmail', 'messages'], type: 'inactive' })
    await queryClient.invalidateQueries({ queryKey: ['webmail', 'messages'] })
  }
}
