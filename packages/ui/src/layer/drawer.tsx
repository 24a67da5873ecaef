import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { IconButton } from '../button/button.tsx'
import { firstInput } from './first-input.ts'
import { useFocusReturn } from './focus-return.ts'
import { Layer, useLayer } from './layers.ts'

type DrawerProps = {
  label: string
  onClose: () => void
  children: ReactNode
  /** An attribute by which others know it. */
  mark?: string
}

/** A layer at the right, above the screen: it has the keyboard until it is closed. */
export const Drawer = ({ onClose, ...rest }: DrawerProps) => (
  <Radix.Root open onOpenChange={onClose}>
    <Radix.Portal>
      <Radix.Overlay className="layer-overlay fixed inset-0 animate-fade-in bg-overlay" />
      <DrawerContent onClose={onClose} {...rest} />
    </Radix.Portal>
  </Radix.Root>
)

const DrawerContent = ({ label, onClose, mark, children }: DrawerProps) => {
  const layer = useLayer()
  const focus = useFocusReturn()
  return (
    <Radix.Content
      {...(mark === undefined ? {} : { [mark]: '' })}
      aria-describedby={undefined}
      onOpenAutoFocus={(event) => {
        focus.remember(event.currentTarget)
        const input = firstInput(event.currentTarget)
        if (!input) return
        event.preventDefault()
        input.focus()
      }}
      onCloseAutoFocus={focus.giveBack}
      className="layer-dialog fixed inset-y-0 right-0 flex w-full max-w-dialog-md animate-fade-in flex-col border-line border-l bg-surface shadow-lg outline-none"
    >
      <Layer value={layer}>
        <header className="flex items-center gap-2 border-line border-b py-2 pr-2 pl-4">
          <Radix.Title className="min-w-0 flex-1 truncate font-semibold text-sm">{label}</Radix.Title>
          <IconButton label={`Close ${label}`} icon={<X />} onClick={onClose} />
        </header>
        <div className="flex min-h-0 flex-1 flex-col overflow-y-auto p-4">{children}</div>
      </Layer>
    </Radix.Content>
  )
}
