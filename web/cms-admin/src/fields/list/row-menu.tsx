import { IconButton } from '@stoa/ui/button/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import { ArrowDown, ArrowUp, Copy, Ellipsis, ListPlus, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import type { ListRowProps } from './list-row.tsx'

type RowMenuProps = Pick<
  ListRowProps,
  'rowKey' | 'index' | 'count' | 'disabled' | 'isFull' | 'onAdd' | 'onMove' | 'onRemove' | 'onRefocus' | 'actions'
>

/** The actions on one row. */
export const RowMenu = (props: RowMenuProps) => {
  const { rowKey, index, count, disabled, isFull, onAdd, onMove, onRemove, onRefocus, actions } = props
  const trigger = useRef<HTMLButtonElement>(null)
  const leads = useRef(false)
  // The focus goes to another row then
  const leading = (action: () => void) => () => {
    leads.current = true
    action()
  }
  const close = () => {
    if (leads.current) onRefocus()
    else trigger.current?.focus()
    leads.current = false
  }
  if (disabled) return null
  return (
    <Menu
      onClosed={close}
      trigger={<IconButton ref={trigger} size="sm" label={`Actions for item ${index + 1}`} icon={<Ellipsis />} />}
    >
      <MenuItem
        icon={<ArrowUp />}
        shortcut="alt+arrowup"
        disabled={index === 0}
        onSelect={() => onMove(index, index - 1)}
      >
        Move up
      </MenuItem>
      <MenuItem
        icon={<ArrowDown />}
        shortcut="alt+arrowdown"
        disabled={index === count - 1}
        onSelect={() => onMove(index, index + 1)}
      >
        Move down
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<ListPlus />} disabled={isFull} onSelect={leading(() => onAdd(index))}>
        Add above
      </MenuItem>
      <MenuItem icon={<ListPlus />} shortcut="mod+enter" disabled={isFull} onSelect={leading(() => onAdd(index + 1))}>
        Add below
      </MenuItem>
      <MenuItem icon={<Copy />} disabled={isFull} onSelect={() => actions.duplicate(rowKey)}>
        Duplicate
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Trash2 />} danger onSelect={leading(onRemove)}>
        Delete
      </MenuItem>
    </Menu>
  )
}
