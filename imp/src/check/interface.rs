//! Interfaces of entry points fit their procedures (I2), and say where every parameter comes from.

use super::Checker;
use crate::ir::{ImpType, Interface, InterfacePlace, InterfaceSize, InterfaceValue, Procedure};
use fun_base::prim::PrimType;

impl Checker {
    pub(super) fn interface(&mut self, procedure: &Procedure, interface: &Interface) {
        let params: Vec<_> = procedure.params.iter().map(|(_, ty)| *ty).collect();
        let results: Vec<_> = procedure.results.iter().map(|(_, ty)| *ty).collect();
        let given = self.side(&interface.takes, &params, "parameter");
        self.side(&interface.gives, &results, "result");
        self.places(interface, &params);
        for (position, _) in given.iter().enumerate().filter(|(_, times)| **times == 0) {
            self.error(format!("I2: the interface does not say what parameter {position} is"));
        }
    }

    /// Checks one side and counts how often each position is mentioned.
    fn side(&mut self, values: &[InterfaceValue], types: &[ImpType], what: &str) -> Vec<usize> {
        let mut times = vec![0; types.len()];
        let mut seen = vec![false; types.len()];
        for value in values {
            let (own, fits) = match value {
                InterfaceValue::Scalar { at, ty } => {
                    (*at, types.get(*at).is_some_and(|found| *found == ImpType::Prim(*ty)))
                }
                InterfaceValue::Array { mem, .. } => {
                    (*mem, types.get(*mem).is_some_and(|found| matches!(found, ImpType::Mem(_))))
                }
            };
            if !fits {
                self.error(format!("I2: the interface gives `{value}`, but {what} {own} has another type"));
                continue;
            }
            if std::mem::replace(&mut seen[own], true) {
                self.error(format!("I2: two values of the interface are {what} {own}"));
            }
            times[own] += 1;
            if let InterfaceValue::Array { shape, place, .. } = value {
                for at in place.iter().flat_map(InterfacePlace::positions) {
                    times.get_mut(at).map(|times| *times += 1).unwrap_or_default();
                }
                for size in shape {
                    match size {
                        InterfaceSize::At(at) if types.get(*at) == Some(&ImpType::Prim(PrimType::I64)) => {
                            times[*at] += 1;
                        }
                        InterfaceSize::At(at) => {
                            self.error(format!("I2: the interface needs {what} {at} to be i64"));
                        }
                        InterfaceSize::Const(size) if *size < 0 => {
                            self.error(format!("I2: the interface has a size of {size}"));
                        }
                        InterfaceSize::Const(_) => {}
                    }
                }
            }
        }
        times
    }

    /// Offsets and strides: parameters that say nothing else, of arrays that are only read.
    fn places(&mut self, interface: &Interface, params: &[ImpType]) {
        let mut others: Vec<usize> = Vec::new();
        let places = interface.takes.iter().filter_map(|value| match value {
            InterfaceValue::Scalar { at, .. } => {
                others.push(*at);
                None
            }
            InterfaceValue::Array { shape, consumed, place, .. } => {
                others.extend(shape.iter().filter_map(|size| match size {
                    InterfaceSize::At(at) => Some(*at),
                    InterfaceSize::Const(_) => None,
                }));
                Some((value, shape.len(), *consumed, place.as_ref()?))
            }
        });
        let places: Vec<_> = places.collect();
        for (value, rank, consumed, place) in places {
            if consumed || place.strides.len() != rank {
                self.error(format!("I2: `{value}` of the interface cannot have that place"));
            }
            for at in place.positions() {
                let fits = params.get(at) == Some(&ImpType::Prim(PrimType::I64));
                if !fits || others.contains(&at) {
                    self.error(format!(
                        "I2: `{value}` of the interface needs parameter {at} as an i64 of its own"
                    ));
                }
                others.push(at);
            }
        }
        if interface.gives.iter().any(|value| matches!(value, InterfaceValue::Array { place: Some(_), .. })) {
            self.error("I2: a result of the interface has a place".to_owned());
        }
    }
}
