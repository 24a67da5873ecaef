export const AddressScreen = () => null
