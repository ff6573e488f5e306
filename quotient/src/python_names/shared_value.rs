//! A value that its copies share until one of them changes it.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A value that is shared until it is changed. Changing it copies it, if it is shared.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct CopyOnWrite<Value>(Arc<Value>);

impl<Value> CopyOnWrite<Value> {
    pub(super) fn new(value: Value) -> Self {
        Self(Arc::new(value))
    }
}

impl<Value: Clone> CopyOnWrite<Value> {
    pub(super) fn into_inner(self) -> Value {
        Arc::unwrap_or_clone(self.0)
    }
}

impl<Value> Deref for CopyOnWrite<Value> {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.0
    }
}

impl<Value: Clone> DerefMut for CopyOnWrite<Value> {
    fn deref_mut(&mut self) -> &mut Value {
        Arc::make_mut(&mut self.0)
    }
}
