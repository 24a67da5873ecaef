import { readStored, writeStored } from '@stoa/ui/browser/stored.ts'
import { useSyncExternalStore } from 'react'

const KEY = 'mail-notifications'

/** `blocked`: the browser refuses for good; `none`: it cannot show any. */
export type NotifyState = 'on' | 'off' | 'blocked' | 'none'

/** Whether this browser notifies of new mail. A choice of the browser, as its permission is. */
const notifyState = (): NotifyState => {
  if (!('Notification' in globalThis)) return 'none'
  if (Notification.permission === 'denied') return 'blocked'
  return Notification.permission === 'granted' && readStored(KEY) === true ? 'on' : 'off'
}

/** The browser is asked only where notifications are on: its answer stops the page for a moment. */
export const useNotifies = (): boolean =>
  useSyncExternalStore(subscribe, () => readStored(KEY) === true && notifyState() === 'on')

export const useNotifyState = (): NotifyState => useSyncExternalStore(subscribe, notifyState)

/** Only after a press: browsers ask the person then, and hold it against a page that asks by itself. */
export const turnNotificationsOn = async (): Promise<NotifyState> => {
  if (!('Notification' in globalThis)) return 'none'
  if ((await Notification.requestPermission()) === 'granted') writeStored(KEY, true)
  notify()
  return notifyState()
}

export const turnNotificationsOff = (): void => {
  writeStored(KEY, undefined)
  notify()
}

const listeners = new Set<() => void>()

const notify = (): void => {
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
