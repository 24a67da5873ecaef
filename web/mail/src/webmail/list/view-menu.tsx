import type { MailboxSettings } from '@stoa/mail-model/mailbox-settings.ts'
import { useIsPhone } from '@stoa/ui/browser/use-media-query.ts'
import { IconButton } from '@stoa/ui/button/button.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Menu, MenuCheck, MenuChoice, MenuLabel, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { ListFilter, PanelBottom, PanelRight, Rows3, Rows4, SlidersHorizontal, Square } from 'lucide-react'
import { sendMailbox } from '../api.ts'
import { mailSettingsQuery } from '../queries.ts'
import { type ListView, narrows, orders } from './list-view.ts'

const panes = [
  { value: 'right', label: 'Right of the list', icon: <PanelRight aria-hidden /> },
  { value: 'below', label: 'Below the list', icon: <PanelBottom aria-hidden /> },
  { value: 'none', label: 'Full width', icon: <Square aria-hidden /> },
] as const

const densities = [
  { value: 'comfortable', label: 'Comfortable', icon: <Rows3 aria-hidden /> },
  { value: 'compact', label: 'Compact', icon: <Rows4 aria-hidden /> },
] as const

type ViewMenuProps = { view: ListView; settings: MailboxSettings }

/** How the list is looked at: its order, conversations, and where messages open. */
export const ViewMenu = ({ view, settings }: ViewMenuProps) => {
  const queryClient = useQueryClient()
  const url = useUrlState()
  const isPhone = useIsPhone()
  return (
    <Menu trigger={<IconButton size="sm" label="View" icon={<SlidersHorizontal />} />}>
      <MenuLabel>Sort by</MenuLabel>
      <MenuChoice
        value={view.order}
        options={orders}
        onValue={(order) => url.set({ sort: order === 'newest' ? '' : order })}
      />
      <MenuSeparator />
      <MenuCheck
        checked={settings.conversations}
        onChecked={(conversations) => void changeSettings(queryClient, { conversations })}
      >
        Conversations
      </MenuCheck>
      <MenuSeparator />
      <MenuLabel>Density</MenuLabel>
      <MenuChoice
        value={settings.density}
        options={densities}
        onValue={(density) => void changeSettings(queryClient, { density })}
      />
      {isPhone ? null : (
        <>
          <MenuSeparator />
          <MenuLabel>Reading pane</MenuLabel>
          <MenuChoice
            value={settings.reading_pane}
            options={panes}
            onValue={(reading_pane) => void changeSettings(queryClient, { reading_pane })}
          />
        </>
      )}
    </Menu>
  )
}

/** Narrows the list to what one looks for most. */
export const NarrowMenu = ({ view }: { view: ListView }) => {
  const url = useUrlState()
  const label = narrows.find(({ value }) => value === view.narrow)?.label ?? ''
  return (
    <Menu
      trigger={
        <IconButton
          size="sm"
          label={view.narrow === '' ? 'Filter' : `Filter: ${label}`}
          icon={<ListFilter />}
          {...(view.narrow === '' ? {} : { className: 'text-accent-ink!' })}
        />
      }
    >
      <MenuLabel>Show</MenuLabel>
      <MenuChoice value={view.narrow} options={narrows} onValue={(show) => url.set({ show })} />
    </Menu>
  )
}

/** Shows the choice at once; it goes back when the service does not take it. */
const changeSettings = async (queryClient: QueryClient, changes: Partial<MailboxSettings>): Promise<void> => {
  const { queryKey } = mailSettingsQuery
  await queryClient.cancelQueries({ queryKey })
  const before = queryClient.getQueryData(queryKey)
  if (before) queryClient.setQueryData(queryKey, { ...before, ...changes })
  try {
    queryClient.setQueryData(
      queryKey,
      await sendMailbox<MailboxSettings>('PATCH', '/api/mail/settings', { body: changes }),
    )
  } catch (error) {
    queryClient.setQueryData(queryKey, before)
    toast({ tone: 'danger', title: "Couldn't save", description: messageOf(error) })
  }
}
