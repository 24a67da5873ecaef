import type { Label } from '@stoa/mail-model/labels.ts'
import { IconButton } from '@stoa/ui/button/button.tsx'
import { Menu, MenuItem } from '@stoa/ui/layer/menu.tsx'
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { placeOfLabel } from '../places.ts'
import { LabelDot } from './label-chip.tsx'
import { LabelDialog } from './label-dialog.tsx'
import { PlaceLink } from './place-link.tsx'
import { RemoveLabel } from './remove-label.tsx'

type LabelRowProps = { label: Label; isCurrent: boolean; onGo: (() => void) | undefined; onDeleted: () => void }

/** A label in the navigation. */
export const LabelRow = ({ label, isCurrent, onGo, onDeleted }: LabelRowProps) => {
  const [asking, setAsking] = useState<'edit' | 'delete'>()
  const close = () => setAsking(undefined)
  const { name, display_name: displayName } = label
  return (
    <>
      <PlaceLink
        place={placeOfLabel(name)}
        icon={<LabelDot label={name} />}
        label={displayName}
        count={0}
        isCurrent={isCurrent}
        onGo={onGo}
        drop={{ kind: 'label', label: name }}
        after={
          <span className="absolute top-1/2 right-0.5 -translate-y-1/2 opacity-0 transition-opacity focus-within:opacity-100 group-hover/place:opacity-100 has-data-[state=open]:opacity-100 touch:opacity-100">
            <Menu
              align="start"
              trigger={<IconButton size="sm" label={`Actions for ${displayName}`} icon={<Ellipsis />} />}
            >
              <MenuItem icon={<Pencil />} onSelect={() => setAsking('edit')}>
                Name and color…
              </MenuItem>
              <MenuItem icon={<Trash2 />} danger onSelect={() => setAsking('delete')}>
                Delete label…
              </MenuItem>
            </Menu>
          </span>
        }
      />
      {asking === 'edit' ? <LabelDialog label={label} onClose={close} /> : null}
      {asking === 'delete' ? <RemoveLabel label={label} onClose={close} onDeleted={onDeleted} /> : null}
    </>
  )
}
