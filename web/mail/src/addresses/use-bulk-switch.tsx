import type { Address } from '@stoa/mail-model/addresses.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { RunDialog } from '@stoa/ui/layer/run-dialog.tsx'
import type { BulkAction } from '@stoa/ui/table/data-table.tsx'
import { type Selection, useSelection } from '@stoa/ui/table/selection.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Power, PowerOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { ADDRESSES, updateAddress } from './queries.ts'

type Wanted = { addresses: readonly Address[]; enabled: boolean }

type BulkSwitch = {
  selection: Selection
  actions: (shown: readonly Address[]) => readonly BulkAction[]
  dialog: ReactNode
}

/** Switches many addresses at once, as when somebody's whole team leaves. Deleting stays one by one. */
export const useBulkSwitch = (): BulkSwitch => {
  const queryClient = useQueryClient()
  const selection = useSelection()
  const [wanted, setWanted] = useState<Wanted>()
  const choose = (shown: readonly Address[], enabled: boolean) => (keys: ReadonlySet<string>) =>
    setWanted({ addresses: shown.filter(({ id }) => keys.has(id)), enabled })
  const settled = (done: number, enabled: boolean) => {
    void queryClient.invalidateQueries({ queryKey: ADDRESSES })
    selection.clear()
    if (done > 0)
      toast({ tone: 'success', title: `${formatCount(done, 'address', 'addresses')} turned ${enabled ? 'on' : 'off'}` })
  }
  return {
    selection,
    actions: (shown) => [
      { label: 'Turn on', icon: <Power />, onRun: choose(shown, true) },
      { label: 'Turn off', icon: <PowerOff />, onRun: choose(shown, false) },
    ],
    dialog: wanted ? (
      <RunDialog
        title={`Turn ${wanted.enabled ? 'on' : 'off'} ${formatCount(wanted.addresses.length, 'address', 'addresses')}?`}
        consequence={
          wanted.enabled
            ? 'They can receive mail again, and their owners can sign in.'
            : 'Mail to them is rejected and nobody can sign in. Existing mail is kept, and you can turn them on again.'
        }
        confirmLabel={wanted.enabled ? 'Turn on' : 'Turn off'}
        tone={wanted.enabled ? 'primary' : 'danger'}
        items={wanted.addresses}
        unit="addresses"
        action={({ id }) => updateAddress(id, { enabled: wanted.enabled })}
        nameOf={({ email }) => email}
        onSettled={({ done }) => settled(done, wanted.enabled)}
        onClose={() => setWanted(undefined)}
      />
    ) : null,
  }
}
