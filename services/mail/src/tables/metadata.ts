/** What IMAP clients keep beside folders. */
export type MetadataTables = {
  folder_metadata: FolderMetadataTable
  folder_subscription: FolderSubscriptionTable
}

export type FolderMetadataTable = {
  address_id: string
  /** Null: of the server. */
  folder_id: string | null
  viewer_id: string | null
  name: string
  value: Buffer
}

export type FolderSubscriptionTable = {
  address_id: string
  name: string
}
