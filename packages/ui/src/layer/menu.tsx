import { Check } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { Kbd } from '../shortcuts/kbd.tsx'
import { cx } from '../theme/cx.ts'

type MenuProps = {
  /** One button of this package. */
  trigger: ReactNode
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'right' | 'bottom' | 'left'
  /** For a menu that a key opens, too. */
  open?: boolean | undefined
  onOpenChange?: ((open: boolean) => void) | undefined
  /** Called when the menu has closed, to move the focus; without it the trigger gets the focus back. */
  onClosed?: () => void
  children: ReactNode
  className?: string
}

/** A list of actions that opens from a button. The page behind stays as it is: no scroll lock, nothing hidden. */
export const Menu = ({
  trigger,
  align = 'end',
  side = 'bottom',
  open,
  onOpenChange,
  onClosed,
  children,
  className,
}: MenuProps) => (
  <Radix.Root modal={false} {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange } : {})}>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content
        align={align}
        side={side}
        sideOffset={4}
        collisionPadding={8}
        onCloseAutoFocus={(event) => {
          if (!onClosed) return
          event.preventDefault()
          onClosed()
        }}
        className={cx(
          'layer-menu max-h-(--radix-dropdown-menu-content-available-height) min-w-44 max-w-80 origin-(--radix-dropdown-menu-content-transform-origin) overflow-y-auto rounded-lg border border-line bg-raised p-1 text-sm shadow-md outline-none data-[state=closed]:animate-pop-out data-[state=open]:animate-pop-in',
          className,
        )}
      >
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)

const row =
  'flex min-h-7 touch:min-h-10 select-none items-center gap-2 rounded-sm px-2 py-1 outline-none data-[disabled]:text-faint data-[highlighted]:bg-hover [&>svg]:size-4 [&>svg]:shrink-0'

type MenuItemProps = {
  icon?: ReactNode
  shortcut?: string
  danger?: boolean
  disabled?: boolean
  onSelect: () => void
  children: ReactNode
}

export const MenuItem = ({ icon, shortcut, danger, disabled = false, onSelect, children }: MenuItemProps) => (
  <Radix.Item
    disabled={disabled}
    onSelect={onSelect}
    className={cx(
      row,
      danger
        ? 'text-danger-ink data-[highlighted]:bg-failed-soft'
        : '[&>svg]:text-faint data-[highlighted]:[&>svg]:text-ink',
    )}
  >
    {icon}
    <span className="min-w-0 flex-1 truncate">{children}</span>
    {shortcut === undefined ? null : <Kbd keys={shortcut} className="ml-4" />}
  </Radix.Item>
)

type MenuCheckProps = { checked: boolean; onChecked: (checked: boolean) => void; children: ReactNode }

/** An item that can be on; the menu stays open so that several can be changed. */
export const MenuCheck = ({ checked, onChecked, children }: MenuCheckProps) => (
  <Radix.CheckboxItem
    checked={checked}
    onCheckedChange={onChecked}
    onSelect={(event) => event.preventDefault()}
    className={row}
  >
    <CheckColumn />
    <span className="min-w-0 flex-1 truncate">{children}</span>
  </Radix.CheckboxItem>
)

type MenuChoiceProps<V extends string> = {
  value: V
  options: readonly { value: V; label: string; icon?: ReactNode }[]
  onValue: (value: V) => void
}

/** One of several values inside a menu. */
export const MenuChoice = <V extends string>({ value, options, onValue }: MenuChoiceProps<V>) => (
  <Radix.RadioGroup
    value={value}
    onValueChange={(next) => {
      const option = options.find((candidate) => candidate.value === next)
      if (option) onValue(option.value)
    }}
  >
    {options.map((option) => (
      <Radix.RadioItem key={option.value} value={option.value} className={cx(row, '[&>svg]:text-faint')}>
        {option.icon}
        <span className="min-w-0 flex-1 truncate">{option.label}</span>
        <CheckColumn />
      </Radix.RadioItem>
    ))}
  </Radix.RadioGroup>
)

const CheckColumn = () => (
  <span className="flex size-4 shrink-0 items-center justify-center">
    <Radix.ItemIndicator>
      <Check aria-hidden className="size-3.5 text-accent-ink" />
    </Radix.ItemIndicator>
  </span>
)

export const MenuSeparator = () => <Radix.Separator className="-mx-1 my-1 h-px bg-line" />

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <Radix.Label className="px-2 pt-1.5 pb-1 font-medium text-faint text-xs">{children}</Radix.Label>
)
