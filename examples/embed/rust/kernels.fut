-- The kernels of the other examples, as one program.
import "../options"
import "../blur"

entry calls = calls
entry portfolio = portfolio
entry blur = blur
entry blurs = blurs
