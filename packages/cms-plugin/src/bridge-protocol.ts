/**
 * What a plugin's frame and the admin say to each other. When the frame has loaded it posts `Hello` to its parent; the
 * admin, which knows the frame by its window, answers with `Welcome` and one end of a channel. Everything after that goes
 * through the channel.
 */
export const PROTOCOL = 1

/** From the frame, by `postMessage`. */
export type Hello = { stoa: 'hello'; protocol: number }

/** To the frame, by `postMessage`, with the port. */
export type Welcome = { stoa: 'welcome'; context: FrameContext }

export type FrameContext = {
  plugin: string
  theme: 'light' | 'dark'
  locale: string
  /** The person who looks. */
  person: { id: string; name: string; role: string }
  /** In a panel: the entry beside it; `isDirty` while something is not saved. */
  entry: { id: string | null; type: string; slug: string; title: string; locale: string; isDirty: boolean } | null
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Where `navigate` leads: another screen of this plugin, an entry's editor, a social post. */
export type NavigateTo = { screen: string } | { entry: string } | { social: string }

/** What a frame can ask for; each is answered by one `Answer` with the same id. */
export type Ask =
  | { ask: 'request'; method: Method; path: string; body?: unknown }
  | { ask: 'toast'; text: string; kind?: 'info' | 'success' | 'error' }
  | { ask: 'navigate'; to: NavigateTo }
  | { ask: 'pickMedia'; kind?: 'image' | 'video' | 'any' }
  | { ask: 'pickEntry'; types?: readonly string[] }
  | { ask: 'confirm'; title: string; text?: string; button?: string; isDangerous?: boolean }

/** Through the port, from the frame. */
export type FromFrame = (Ask & { id: number }) | { tell: 'height'; height: number }

export type BridgeError = { status: number; code: string; message: string; details?: unknown }

/** Through the port, to the frame. */
export type ToFrame =
  | { answer: number; value: unknown }
  | { answer: number; error: BridgeError }
  | { tell: 'context'; context: FrameContext }

export type PickedMedia = { id: string; filename: string; kind: string; url: string; alt: string | null }
export type PickedEntry = { id: string; type: string; slug: string; title: string; status: string }
