import { SecretOnceDialog } from '@stoa/ui/layer/secret-once-dialog.tsx'
import { useSyncExternalStore } from 'react'

export type Secret = { title: string; secret: string; fileName: string }

let shown: Secret | undefined
const listeners = new Set<() => void>()

/** Shows what an apply answered, and never answers again. The card may be gone by then: it is shown for the panel. */
export const showSecret = (secret: Secret | undefined): void => {
  if (secret !== undefined) set(secret)
}

const set = (next: Secret | undefined): void => {
  shown = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const ShownSecret = () => {
  const secret = useSyncExternalStore(subscribe, () => shown)
  if (!secret) return null
  return (
    <SecretOnceDialog
      title={secret.title}
      secrets={[secret.secret]}
      fileName={secret.fileName}
      onClose={() => set(undefined)}
    />
  )
}
