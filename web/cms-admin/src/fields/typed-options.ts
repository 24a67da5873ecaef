import type { OptionDraft } from './field-view.ts'

/** An option that the form has as it is stored. */
export const asStored = <V>(blank: V): OptionDraft<V, V> => ({
  blank,
  read: (stored) => stored,
  write: (value) => value,
})

/** A number as it is typed; empty where it is left out. */
export const typedNumber: OptionDraft<string, number | undefined> = {
  blank: '',
  read: (stored) => (stored === undefined ? '' : String(stored)),
  write: (typed) => (typed.trim() === '' ? undefined : Number(typed.trim())),
}

export const typedText: OptionDraft<string, string | undefined> = {
  blank: '',
  read: (stored) => stored ?? '',
  write: (typed) => typed.trim() || undefined,
}

/** Said only while it is on. */
export const ticked: OptionDraft<boolean, boolean | undefined> = {
  blank: false,
  read: (stored) => stored === true,
  write: (on) => on || undefined,
}
