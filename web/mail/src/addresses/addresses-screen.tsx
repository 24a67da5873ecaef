export const AddressesScreen = () => null
